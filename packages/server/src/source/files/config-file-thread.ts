// The thread that reads a large `.service.yml`.
import { answerInThread } from '../../threads/answer-in-thread.ts'
import { answerFor } from './read-config-file.ts'

answerInThread(answerFor)
