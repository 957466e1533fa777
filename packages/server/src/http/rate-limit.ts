// Counts requests in fixed windows, in memory: by the peer's address where something could be guessed, by the user elsewhere.
import type { Route } from '@shipway/api/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { RateLimited } from '../domain/errors.ts'

/** Sign-in and the like, per address. Failed passwords are counted per account as well, where they are checked. */
const GUARDED_PER_MINUTE = 60
const WINDOW_MS = 60_000

export function limitRate(ctx: Context) {
  const guarded = new Windows('guarded', GUARDED_PER_MINUTE, WINDOW_MS)
  const use = new Windows('api', ctx.config.apiRequestsPerMinute, WINDOW_MS)
  return {
    byAddress: (route: Route, request: FastifyRequest, reply: FastifyReply): void => {
      if (route.guarded) take(guarded, request.ip, reply, ctx.clock())
    },
    byActor: (request: FastifyRequest, reply: FastifyReply): void => {
      if (request.actor) take(use, String(request.actor.userId), reply, ctx.clock())
    },
  }
}

function take(windows: Windows, key: string, reply: FastifyReply, now: number): void {
  const { left, resetMs } = windows.count(key, now)
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  reply.headers({
    'ratelimit-policy': `"${windows.name}";q=${windows.most};w=${windows.windowMs / 1000}`,
    ratelimit: `"${windows.name}";r=${Math.max(0, left)};t=${seconds}`,
  })
  if (left < 0) throw RateLimited(seconds)
}

/** One window for all keys at a time: dropping the whole map at its end keeps memory bounded without a timer. */
export class Windows {
  readonly name: string
  readonly most: number
  readonly windowMs: number
  #startedAt = 0
  #counts = new Map<string, number>()

  constructor(name: string, most: number, windowMs: number) {
    this.name = name
    this.most = most
    this.windowMs = windowMs
  }

  count(key: string, now: number): { left: number; resetMs: number } {
    if (now >= this.#startedAt + this.windowMs) {
      this.#startedAt = now
      this.#counts = new Map()
    }
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return { left: this.most - count, resetMs: this.#startedAt + this.windowMs - now }
  }
}
