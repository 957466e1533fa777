// Finds out, from the records alone, which servers are to be looked at now: no server is disturbed because something changed on another.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { createLoop } from '../../../scheduling/loop.ts'

export type DueCheck = {
  /** Goes through the servers soon; whoever asks while that is under way is in the next round. */
  ask(): void
  stop(): Promise<void>
}

type Parts = {
  readonly log: Logger
  readonly servers: () => Iterable<ServerAddress>
  /** Asks the records, never the server. */
  readonly isDue: (server: ServerAddress) => Promise<boolean>
  readonly wake: (serverIds: readonly number[]) => void
}

/** A round is followed by a rest of several times its length: changes that never end leave the records to others, too. */
const REST = 4

export function createDueCheck({ log, servers, isDue, wake }: Parts): DueCheck {
  const goThrough = async (signal: AbortSignal): Promise<void> => {
    for (const server of [...servers()]) {
      if (signal.aborted) return
      // The embedded database answers at once: without this no request would come in between.
      await nextTurn()
      if (await isDue(server)) wake([server.id])
    }
  }
  const rounds = createLoop({
    work: goThrough,
    restMs: (tookMs) => tookMs * REST,
    onError: (error) => log.error({ err: error }, 'the records of servers could not be read'),
  })
  return { ask: rounds.wake, stop: rounds.stop }
}
