/** Lets a few pieces of work run at once, makes some wait in order, and turns the rest away. */

export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

export function limitConcurrency({ concurrency: atOnce, maxQueued: waiting }: { concurrency: number; maxQueued: number }): ConcurrencyLimit {
  let running = 0
  const queue: (() => void)[] = []

  return async (work) => {
    if (running < atOnce) running += 1
    else if (queue.length < waiting) await new Promise<void>((enter) => queue.push(enter))
    else throw new Busy()
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody who comes later can take it.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Too much work of this kind is waiting already. */
export class Busy extends Error {
  override readonly name = 'Busy'
  readonly code = 'busy'

  constructor() {
    super('The server is busy. Try again in a few seconds.')
  }
}
