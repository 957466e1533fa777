// Finds the servers on which a job is due, from the records alone: a change on one server disturbs no other.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { createLoop } from '../../../scheduling/loop.ts'

export type DueCheck = {
  /** Checks all servers soon. A request during a check causes one more. */
  request(): void
  stop(): Promise<void>
}

type Options = {
  readonly log: Logger
  readonly servers: () => Iterable<ServerAddress>
  /** Reads the records, never the server. */
  readonly isDue: (server: ServerAddress) => Promise<boolean>
  readonly wake: (serverIds: readonly number[]) => void
}

/** Each check is followed by a pause of this many times its length, so that constant changes do not occupy the database. */
const PAUSE_FACTOR = 4

export function createDueCheck({ log, servers, isDue, wake }: Options): DueCheck {
  const checkAll = async (signal: AbortSignal): Promise<void> => {
    for (const server of [...servers()]) {
      if (signal.aborted) return
      // The embedded database answers within the same turn: without this no request would be served in between.
      await nextTurn()
      if (await isDue(server)) wake([server.id])
    }
  }
  const loop = createLoop({
    work: checkAll,
    restMs: (tookMs) => tookMs * PAUSE_FACTOR,
    onError: (error) => log.error({ err: error }, 'the records of servers could not be read'),
  })
  return { request: loop.wake, stop: loop.stop }
}
