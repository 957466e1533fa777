// Answers that stay open: not too many for one user, and none when the server closes.
import type { Readable } from 'node:stream'
import type { AppError } from '../domain/errors.ts'

type Limit = { readonly mostPerUser: number; readonly refusal: (most: number) => AppError }

export class OpenStreams {
  readonly #streams = new Map<number, Set<Readable>>()
  readonly #limit: Limit

  constructor(limit: Limit) {
    this.#limit = limit
  }

  /** Refuses before anything is made that would have to be ended. */
  add(userId: number, open: () => Readable): Readable {
    const { mostPerUser, refusal } = this.#limit
    const own = this.#streams.get(userId) ?? new Set()
    if (own.size >= mostPerUser) throw refusal(mostPerUser)
    const stream = open()
    this.#streams.set(userId, own.add(stream))
    stream.once('close', () => {
      own.delete(stream)
      if (own.size === 0) this.#streams.delete(userId)
    })
    return stream
  }

  /** Of all users together. */
  get count(): number {
    let count = 0
    for (const own of this.#streams.values()) count += own.size
    return count
  }

  end(): void {
    for (const own of this.#streams.values()) for (const stream of own) stream.destroy()
  }
}
