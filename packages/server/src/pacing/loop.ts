// Does something from time to time, one run after the other; a wake-up during a run makes one more.
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'

export type Loop = { start(): void; wake(): void; stop(): Promise<void> }

type Work = {
  /** For the log. */
  readonly name: string
  readonly everyMs: number
  /** Between two runs, however often it is woken. */
  readonly restMs?: number
  readonly work: (signal: AbortSignal) => Promise<void>
}

export function createLoop(ctx: Pick<Context, 'log'>, { name, everyMs, restMs = 0, work }: Work): Loop {
  const stopper = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false

  const run = async (): Promise<void> => {
    while (isWanted && !stopper.signal.aborted) {
      isWanted = false
      await work(stopper.signal).catch((error: unknown) => {
        if (!stopper.signal.aborted) ctx.log.error({ err: error }, `${name} failed`)
      })
      await rest(restMs, stopper.signal)
    }
  }
  const wake = (): void => {
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
      // What was wanted between the last look and here.
      if (isWanted && !stopper.signal.aborted) wake()
    })
  }
  return {
    start: () => {
      timer = setInterval(wake, everyMs)
      wake()
    },
    wake,
    stop: async () => {
      clearInterval(timer)
      stopper.abort()
      await running
    },
  }
}

/** Ends early when the loop is stopped. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0 && !signal.aborted) await wait(milliseconds, undefined, { signal }).catch(() => undefined)
}
