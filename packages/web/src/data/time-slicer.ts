// Keeps work in tasks of bounded length: work that took long enough waits for the browser to handle input and to paint.
const BUDGET_MS = 8

export class TimeSlicer {
  readonly #now: () => number
  readonly #pause: () => Promise<void>
  #spentMs = 0
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(now = (): number => performance.now(), pause = nextTask) {
    this.#now = now
    this.#pause = pause
  }

  /**
   * Runs a small piece of work, and resolves when there may be another. What happens between two pieces counts, too: a message is read
   * before it is handled. Longer gaps are spent waiting.
   */
  async run(work: () => void): Promise<void> {
    const begun = this.#now()
    const gap = begun - this.#endedAt
    if (gap < BUDGET_MS) this.#spentMs += gap
    work()
    this.#endedAt = this.#now()
    this.#spentMs += this.#endedAt - begun
    if (this.#spentMs < BUDGET_MS) return
    await this.#pause()
    this.#spentMs = 0
    this.#endedAt = this.#now()
  }
}

/** A message, not a timer: browsers delay the timers of pages in the background. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
