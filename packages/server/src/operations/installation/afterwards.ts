// Work that continues after the response. A stop of the platform waits for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'

type Afterwards = {
  readonly run: Context['afterwards']
  /** Resolves when nothing is left to do. */
  finished(): Promise<void>
}

export function createAfterwards(log: Logger): Afterwards {
  const underWay = new Set<Promise<void>>()
  return {
    run: (work) => {
      // In the next turn of the event loop: started at once, it would delay the response, and the delay would reveal it.
      const done: Promise<void> = nextTurn()
        .then(work)
        .catch((error: unknown) => log.error({ err: error }, 'work after a response failed'))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    finished: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
