// The output of a task as it comes, as server-sent events, until the task has ended and all of it was sent.
import type { Readable } from 'node:stream'
import type { LogEnd } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { isFinal } from '../../domain/tasks/task.ts'
import { listOutput } from '../../store/tasks/outputs.ts'
import { findTask, type Task } from '../../store/tasks/tasks.ts'
import { outputEvent, wholeLength } from './output-event.ts'
import { streamPieces } from './piece-stream.ts'
import { listenToTask, type TaskChanges } from './task-changes.ts'

type Following = {
  /** Whoever follows, as the records say now; undefined once the sign-in has ended. */
  readonly actorNow: () => Promise<Actor | undefined>
  readonly taskId: number
  readonly from: number
}
type Pace = { readonly pollMs: number; readonly keepAliveMs: number }

export function followLog(ctx: Ways, following: Following, pace: Pace = USUAL_PACE): Readable {
  return streamPieces((gone) => makeEvents(ctx, following, { ...pace, gone }))
}

/** The bus tells at once; looking now and then is for what another process could not tell. */
const USUAL_PACE: Pace = { pollMs: 2_000, keepAliveMs: 15_000 }
const PIECE_BYTES = 64 * 1024
const NOTHING = Buffer.alloc(0)

type Ways = Pick<Context, 'db' | 'bus'>
type Until = Pace & { readonly gone: AbortSignal }

async function* makeEvents(ctx: Ways, following: Following, until: Until): AsyncGenerator<string, void> {
  const changes = listenToTask(ctx.bus, following.taskId)
  try {
    // Something to send at once, so that the caller sees that it is followed.
    yield 'retry: 2000\n\n'
    yield* makeOutputEvents(ctx, following, { ...until, changes })
  } finally {
    changes.end()
  }
}

async function* makeOutputEvents(
  ctx: Ways,
  { actorNow, taskId, from }: Following,
  { pollMs, keepAliveMs, gone, changes }: Until & { readonly changes: TaskChanges },
): AsyncGenerator<string, void> {
  let place = from
  let quietMs = 0
  let actor: Actor | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  while (!gone.aborted) {
    changes.forget()
    // Whoever is no member any more sees nothing more, though the connection was opened in time.
    if (performance.now() >= askedAt + pollMs) {
      askedAt = performance.now()
      actor = await actorNow()
    }
    if (!actor) return
    // The task before its output: of one that has ended, everything is there to be read.
    const task = await findTask(ctx.db, actor, taskId)
    if (!task) return
    const isMore = task.outputBytes > place
    const bytes = isMore ? await listOutput(ctx.db, taskId, { from: place, most: PIECE_BYTES }) : NOTHING
    const ready = wholeLength(bytes) || (isFinal(task.status) ? bytes.length : 0)
    if (ready > 0) {
      place += ready
      quietMs = 0
      yield outputEvent(bytes.subarray(0, ready), place)
      if (place < task.outputBytes) continue
    }
    if (isFinal(task.status)) return yield endEvent(task)
    quietMs = (await changes.next(gone, pollMs)) ? quietMs : quietMs + pollMs
    if (quietMs >= keepAliveMs) {
      quietMs = 0
      yield ': keep-alive\n\n'
    }
  }
}

const endEvent = ({ status, reason }: Pick<Task, 'status' | 'reason'>): string =>
  `event: end\ndata: ${JSON.stringify({ status, reason } satisfies LogEnd)}\n\n`
