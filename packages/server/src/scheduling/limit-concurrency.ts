/** Runs a few pieces of work at once, queues some in order, and rejects the rest. */

export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

export function limitConcurrency({
  concurrency,
  maxQueued,
}: {
  concurrency: number
  maxQueued: number
}): ConcurrencyLimit {
  let running = 0
  const queue: (() => void)[] = []

  return async (work) => {
    if (running < concurrency) running += 1
    else if (queue.length < maxQueued) await new Promise<void>((enter) => queue.push(enter))
    else throw new Busy()
    try {
      return await work()
    } finally {
      // The slot goes straight to the next in the queue, so that a later caller cannot take it.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** The queue is full. */
export class Busy extends Error {
  override readonly name = 'Busy'
  readonly code = 'busy'

  constructor() {
    super('The server is busy. Try again in a few seconds.')
  }
}
