// Work that is done from time to time and whenever somebody asks for it: one run at a time, and what is asked for during a run makes one
// more. A stop is heard at once, waits for the run that is under way, and nothing begins after it.
import { setTimeout as wait } from 'node:timers/promises'

export type Loop = {
  start(): void
  /** Runs now, or once more after the run that is under way. Also before the start. */
  wake(): void
  /** Wakes the loop and resolves when that run has ended. Rejects where it failed, and with LoopStopped where it will never begin. */
  run(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Told of each run that failed, but not of one that a stop broke off. The loop goes on. */
  readonly onError: (error: unknown) => void
  /** Left out where it runs only when it is woken. */
  readonly everyMs?: number
  /** The first run comes after the first interval, not with the start. */
  readonly startsWithPause?: boolean
  /** Between two runs, however often it is woken; by how long the run took where that is the measure. */
  readonly restMs?: number | ((tookMs: number) => number)
}

export class LoopStopped extends Error {
  override readonly name = 'LoopStopped'
}

type Waiter = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

export function createLoop({ work, onError, everyMs, startsWithPause = false, restMs = 0 }: Options): Loop {
  const stopper = new AbortController()
  const { signal } = stopper
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let waiters: readonly Waiter[] = []

  const runWhileWanted = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      const begunAt = performance.now()
      await runOnce()
      await rest(typeof restMs === 'number' ? restMs : restMs(performance.now() - begunAt), signal)
    }
    running = undefined
  }
  const runOnce = async (): Promise<void> => {
    const waiting = waiters
    waiters = []
    isWanted = false
    try {
      await work(signal)
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      if (!signal.aborted) onError(error)
      for (const { reject } of waiting) reject(error)
    }
  }
  const wake = (): void => {
    if (signal.aborted) return
    isWanted = true
    running ??= runWhileWanted()
  }
  return {
    start: () => {
      if (everyMs !== undefined) timer = setInterval(wake, everyMs)
      if (!startsWithPause) wake()
    },
    wake,
    run: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new LoopStopped())
        waiters = [...waiters, { resolve, reject }]
        wake()
      }),
    stop: async () => {
      clearInterval(timer)
      stopper.abort()
      await running
      for (const { reject } of waiters) reject(new LoopStopped())
      waiters = []
    },
  }
}

/** Ends early when the loop is stopped. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0 && !signal.aborted)
    await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}
