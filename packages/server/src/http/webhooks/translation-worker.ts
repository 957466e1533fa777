// The thread that reads one large delivery: a delivery in, its translation out.
import { answerInThread } from '../../threads/answer-in-thread.ts'
import { translate } from './translate.ts'

answerInThread(translate)
