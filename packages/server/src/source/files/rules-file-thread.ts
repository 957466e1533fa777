// The thread that reads the rules about pull requests in a large `.service.yml`.
import { answerInThread } from '../../threads/answer-in-thread.ts'
import { rulesOrFault } from './read-rules-file.ts'

answerInThread(rulesOrFault)
