// Counts requests in fixed windows, in memory: by where they come from where something could be guessed, by the user elsewhere.
import type { Route } from '@shipway/api/route'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { RateLimited } from '../domain/errors.ts'
import { deviceOf } from './device-cookie.ts'

/** Sign-in and the like. Wrong passwords are counted apart from this, where they are checked. */
const GUARDED_PER_MINUTE = 60
const WINDOW_MS = 60_000
/** Whoever has this many addresses is not stopped by counting them. */
const MOST_KEYS = 100_000

export function limitRate(ctx: Context) {
  const guarded = new Windows('guarded', GUARDED_PER_MINUTE, WINDOW_MS)
  const use = new Windows('api', ctx.config.apiRequestsPerMinute, WINDOW_MS)
  return {
    byAddress: (route: Route, request: FastifyRequest, reply: FastifyReply): void => {
      if (route.guarded) take(guarded, callerOf(ctx, request), reply, ctx.clock())
    },
    byActor: (request: FastifyRequest, reply: FastifyReply): void => {
      if (request.actor) take(use, String(request.actor.userId), reply, ctx.clock())
    },
  }
}

/**
 * By the account that the browser is known for, so that nobody who shares the address of an owner (behind one proxy, in one office) can use
 * up what that owner needs; by the address elsewhere.
 */
function callerOf(ctx: Context, request: FastifyRequest): string {
  const device = deviceOf(ctx, request)
  return device ? `known ${device.account}` : networkOf(request.ip)
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

  /** `more` is 0 for whoever only looks. */
  count(key: string, now: number, more = 1): { left: number; resetMs: number } {
    if (now >= this.#startedAt + this.windowMs || this.#counts.size >= MOST_KEYS) {
      this.#startedAt = now
      this.#counts = new Map()
    }
    const count = (this.#counts.get(key) ?? 0) + more
    this.#counts.set(key, count)
    return { left: this.most - count, resetMs: this.#startedAt + this.windowMs - now }
  }
}
