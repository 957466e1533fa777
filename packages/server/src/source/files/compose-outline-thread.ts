// The thread that reads the outline of a large compose file.
import { answerInThread } from '../../threads/answer-in-thread.ts'
import { outlineFor } from './outline-compose-file.ts'

answerInThread(outlineFor)
