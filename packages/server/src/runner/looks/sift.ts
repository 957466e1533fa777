// Finds out, from the records alone, which servers are to be looked at now: no server is disturbed because something changed on another.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServerAddress } from '../../domain/server-address.ts'

export type Sift = {
  /** Goes through the servers soon; whoever asks while that is under way is in the next round. */
  ask(): void
  stop(): void
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

export function createSift({ log, servers, isDue, wake }: Parts): Sift {
  let isUnderWay = false
  let isAsked = false
  let isStopped = false
  let rest: NodeJS.Timeout | undefined

  const goThrough = async (): Promise<void> => {
    for (const server of [...servers()]) {
      if (isStopped) return
      // The embedded database answers at once: without this no request would come in between.
      await nextTurn()
      if (await isDue(server)) wake([server.id])
    }
  }
  const round = async (): Promise<void> => {
    isUnderWay = true
    isAsked = false
    const start = performance.now()
    await goThrough().catch((error: unknown) => {
      if (!isStopped) log.error({ err: error }, 'the records of servers could not be read')
    })
    if (!isStopped) rest = setTimeout(awake, (performance.now() - start) * REST)
  }
  const awake = (): void => {
    isUnderWay = false
    if (isAsked) void round()
  }
  return {
    ask: () => {
      isAsked = true
      if (!isUnderWay && !isStopped) void round()
    },
    stop: () => {
      isStopped = true
      clearTimeout(rest)
    },
  }
}
