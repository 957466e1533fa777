// Counts requests: by where they come from where something could be guessed, by the user elsewhere.
import type { Route } from '@shipway/api/route'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { RateLimited } from '../domain/errors.ts'
import { RateLimiter } from '../scheduling/rate-limiter.ts'
import { deviceOf } from './device-cookie.ts'

/** Sign-in and the like. Wrong passwords are counted apart from this, where they are checked. */
const GUARDED_PER_MINUTE = 60
const WINDOW_MS = 60_000

export function limitRate(ctx: Context) {
  const share = (id: string, most: number): RateLimiter =>
    ctx.sharedCounts.share(id, new RateLimiter({ name: id, most, windowMs: WINDOW_MS }))
  const guarded = share('guarded', GUARDED_PER_MINUTE)
  const use = share('api', ctx.config.apiRequestsPerMinute)
  const strangers = strangersOf(ctx, 'address-api')
  return {
    byAddress: (route: Route, request: FastifyRequest, reply: FastifyReply): void => {
      if (route.guarded) take(guarded, callerOf(ctx, request), reply, ctx.clock())
    },
    byActor: (request: FastifyRequest, reply: FastifyReply): void => {
      if (request.actor) take(use, String(request.actor.userId), reply, ctx.clock())
    },
    byStranger: (route: Route, request: FastifyRequest): void => {
      // Deliveries have an admission of their own, and a health check is never refused.
      if (!route.rawBody && !PROBES.has(route.path)) countStranger(ctx, strangers, request)
    },
  }
}

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** For routes that count users, and so have to find out first who asks. All others are counted without asking. */
export const COUNTS_USERS = { countsUsers: true } as const

export function countStrangers(app: FastifyInstance, ctx: Context): void {
  const strangers = strangersOf(ctx, 'address-pages')
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.countsUsers) countStranger(ctx, strangers, request)
    done()
  })
}

/** As many for an address as for a user, and as many again for pages and files: a whole office may come by one address. */
const strangersOf = ({ config, sharedCounts }: Context, id: string): RateLimiter =>
  sharedCounts.share(id, new RateLimiter({ name: 'address', most: config.apiRequestsPerMinute, windowMs: WINDOW_MS }))

function countStranger(ctx: Context, strangers: RateLimiter, request: FastifyRequest): void {
  const { left, resetMs } = strangers.count(networkOf(request.ip), ctx.clock())
  if (left < 0) throw RateLimited(Math.max(1, Math.ceil(resetMs / 1000)), strangers)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    countsUsers?: true
  }
}

/**
 * By the account that the browser is known for, so that no user who shares the address of an owner (behind one proxy, in one office) can use
 * up what that owner needs; by the address elsewhere.
 */
function callerOf(ctx: Context, request: FastifyRequest): string {
  const device = deviceOf(ctx, request)
  return device ? `known ${device.account}` : networkOf(request.ip)
}

function take(limiter: RateLimiter, key: string, reply: FastifyReply, now: number): void {
  const { left, resetMs } = limiter.count(key, now)
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  reply.headers({
    'ratelimit-policy': `"${limiter.name}";q=${limiter.most};w=${limiter.windowMs / 1000}`,
    ratelimit: `"${limiter.name}";r=${Math.max(0, left)};t=${seconds}`,
  })
  if (left < 0) throw RateLimited(seconds)
}
