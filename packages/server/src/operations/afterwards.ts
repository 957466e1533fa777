// Work that goes on after a request was answered. Whoever stops the platform waits for it.
import type { Logger } from 'pino'
import type { Context } from '../context.ts'

type Afterwards = {
  readonly run: Context['afterwards']
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
}

export function createAfterwards(log: Logger): Afterwards {
  const underWay = new Set<Promise<void>>()
  return {
    run: (work) => {
      // From an async function, so that what throws at once is caught like what fails later.
      const done: Promise<void> = (async () => work())()
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
