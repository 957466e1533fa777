// The thread that reads the outline of a large compose file.
import { outlineOf } from '@shipway/rules/service-file/read-contents'
import { answerInThread } from '../../threads/answer-in-thread.ts'

answerInThread(outlineOf)
