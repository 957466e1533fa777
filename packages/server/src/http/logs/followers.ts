// Who follows the output of a task: not too many for one user, and none when the server closes.
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { TooManyFollowers } from '../../domain/errors.ts'

export function registerFollowers(app: FastifyInstance): void {
  const followers = new Followers()
  app.decorate('followers', followers)
  // They would keep the server from closing; whoever follows goes on where it was with the next one.
  app.addHook('preClose', async () => followers.end())
}

const MOST_PER_USER = 20

class Followers {
  readonly #streams = new Map<number, Set<Readable>>()

  /** Refuses before anything is made that would have to be ended. */
  add(userId: number, open: () => Readable): Readable {
    const own = this.#streams.get(userId) ?? new Set()
    if (own.size >= MOST_PER_USER) throw TooManyFollowers(MOST_PER_USER)
    const stream = open()
    this.#streams.set(userId, own.add(stream))
    stream.once('close', () => {
      own.delete(stream)
      if (own.size === 0) this.#streams.delete(userId)
    })
    return stream
  }

  end(): void {
    for (const own of this.#streams.values()) for (const stream of own) stream.destroy()
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    followers: Followers
  }
}
