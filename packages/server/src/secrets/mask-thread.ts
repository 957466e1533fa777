// The thread that prepares a mask: its values in, the tables of their forms out.
import { answerInThread } from '../threads/answer-in-thread.ts'
import { tablesFor } from './mask.ts'

answerInThread(tablesFor, (tables) =>
  Object.values(tables).flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
)
