/**
 * Lets background work yield to requests: a flood of output, or one event for a thousand subscribers. Such work is split into small pieces,
 * and each piece waits here. Each turn of the event loop runs, in order, as many pieces as fit into a time slice, so that a request waits
 * for one slice at most.
 */

/** Resolves when the next piece may run. The piece is what follows without waiting for I/O. */
export type YieldToRequests = () => Promise<void>

export function createYieldToRequests(sliceMs: number): YieldToRequests {
  const waiting: (() => void)[] = []
  let isTurnAwaited = false

  const awaitTurn = (): void => {
    if (isTurnAwaited || waiting.length === 0) return
    isTurnAwaited = true
    setImmediate(() => runSlice(performance.now() + sliceMs))
  }

  const runSlice = (end: number): void => {
    waiting.shift()?.()
    whenDone(() => {
      if (waiting.length > 0 && performance.now() < end) return runSlice(end)
      isTurnAwaited = false
      awaitTurn()
    })
  }

  return () =>
    new Promise((enter) => {
      waiting.push(enter)
      awaitTurn()
    })
}

/** Runs after all microtasks of the piece: after everything that it does without waiting for I/O. */
const whenDone = (next: () => void): void => queueMicrotask(() => process.nextTick(next))

/** One per process, as there is one event loop. The slice is short compared with a request. */
export const yieldToRequests: YieldToRequests = createYieldToRequests(0.1)
