// Worker thread that builds the trie of a mask.
import { answerInThread } from '../threads/answer-in-thread.ts'
import { buildTrieOf } from './mask.ts'

answerInThread(buildTrieOf, ({ nodes, branches, starts }) => [nodes.buffer, branches.buffer, starts.buffer])
