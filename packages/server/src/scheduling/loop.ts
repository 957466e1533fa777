// Runs work periodically and on demand, one run at a time; a wake-up during a run causes one more. A stop aborts the signal at once, waits
// for the current run, and no run starts after it.
import { setTimeout as wait } from 'node:timers/promises'

export type Loop = {
  start(): void
  /** Runs now, or once more after the current run. Works before the start, too. */
  wake(): void
  /** Wakes the loop and resolves when that run has ended. Rejects if it fails, and with LoopStopped if it will never start. */
  run(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Called for each failed run, but not for one that a stop has aborted. The loop goes on. */
  readonly onError: (error: unknown) => void
  /** Leave out to run only when woken. */
  readonly everyMs?: number
  /** The first run comes after the first interval instead of at the start. */
  readonly startsWithPause?: boolean
  /** Minimum pause between two runs, however often it is woken; may depend on how long the run took. */
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
  let isRequested = false
  let waiters: readonly Waiter[] = []

  const runWhileRequested = async (): Promise<void> => {
    while (isRequested && !signal.aborted) {
      const begunAt = performance.now()
      await runOnce()
      await rest(typeof restMs === 'number' ? restMs : restMs(performance.now() - begunAt), signal)
    }
    running = undefined
  }
  const runOnce = async (): Promise<void> => {
    const waiting = waiters
    waiters = []
    isRequested = false
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
    isRequested = true
    running ??= runWhileRequested()
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
