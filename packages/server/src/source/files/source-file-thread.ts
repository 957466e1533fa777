// The thread that reads a large compose file.
import { readSource } from '@shipway/rules/compose/source/read-source'
import { answerInThread } from '../../threads/answer-in-thread.ts'

answerInThread(readSource)
