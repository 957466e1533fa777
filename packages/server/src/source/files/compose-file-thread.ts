// The thread that judges a large compose file.
import { answerInThread } from '../../threads/answer-in-thread.ts'
import { answerFor } from './check-compose-file.ts'

answerInThread(answerFor)
