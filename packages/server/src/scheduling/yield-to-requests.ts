/**
 * The time between requests, for work that nobody waits for: a flood of output, or one change for a thousand readers. Such work is
 * done in small pieces, and each piece waits for its turn here. In each turn of the event loop so many of them are let in as fit into
 * a moment, in the order in which they came: whoever asks for something waits for a moment at most, however much is to be done.
 */

/** Resolves when it is one's turn. What is done at once after it is the piece. */
export type YieldToRequests = () => Promise<void>

export function createYieldToRequests(momentMs: number): YieldToRequests {
  const waiting: (() => void)[] = []
  let isTurnAwaited = false

  const awaitTurn = (): void => {
    if (isTurnAwaited || waiting.length === 0) return
    isTurnAwaited = true
    setImmediate(() => letIn(performance.now() + momentMs))
  }

  const letIn = (end: number): void => {
    waiting.shift()?.()
    whenDone(() => {
      if (waiting.length > 0 && performance.now() < end) return letIn(end)
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

/** After everything that follows from promises that are resolved by now: all that one piece does without waiting for the outside. */
const whenDone = (next: () => void): void => queueMicrotask(() => process.nextTick(next))

/** One for the process, as there is one event loop. Short against what a request takes. */
export const yieldToRequests: YieldToRequests = createYieldToRequests(0.1)
