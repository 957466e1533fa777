// The output of a task as it comes, as server-sent events, until the task has ended and all of it was sent.
import type { Readable } from 'node:stream'
import type { LogEnd } from '@shipway/api/tasks'
import type { Task } from '../../store/tasks/tasks.ts'
import { followOutput } from './follow-output.ts'
import { outputEvent } from './output-event.ts'
import { streamPieces } from './piece-stream.ts'
import type { SharedOutput } from './shared-output.ts'

type Following = {
  readonly output: SharedOutput
  readonly from: number
  /** The task as the reader may see it now; undefined once the sign-in or the membership has ended. */
  readonly findTask: () => Promise<Pick<Task, 'status' | 'reason'> | undefined>
}
type Pace = { readonly pollMs: number; readonly keepAliveMs: number }

const USUAL_PACE: Pace = { pollMs: 2_000, keepAliveMs: 15_000 }

export function followLog(following: Following, pace: Pace = USUAL_PACE): Readable {
  return streamPieces((gone) => makeEvents(following, { ...pace, gone }))
}

async function* makeEvents(
  { output, from, findTask }: Following,
  { pollMs, keepAliveMs, gone }: Pace & { readonly gone: AbortSignal },
): AsyncGenerator<string, void> {
  // Sent at once, so that the caller sees that it is followed.
  yield 'retry: 2000\n\n'
  let sentAt = performance.now()
  let checkedAt = Number.NEGATIVE_INFINITY
  for await (const { piece, length } of followOutput(output, { from, signal: gone, pollMs })) {
    const isEnd = length.isOver && !piece
    // A reader who is no member any more sees nothing more, though the connection was opened in time.
    if (isEnd || performance.now() >= checkedAt + pollMs) {
      checkedAt = performance.now()
      const task = await findTask()
      if (!task) return
      if (isEnd) return yield endEvent(task)
    }
    if (piece) yield outputEvent(piece.bytes, piece.to)
    else if (performance.now() >= sentAt + keepAliveMs) yield ': keep-alive\n\n'
    else continue
    sentAt = performance.now()
  }
}

const endEvent = ({ status, reason }: Pick<Task, 'status' | 'reason'>): string =>
  `event: end\ndata: ${JSON.stringify({ status, reason } satisfies LogEnd)}\n\n`
