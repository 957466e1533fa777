// Binds each route of the contract to its handler: who calls, what was sent, what may leave. It decides nothing itself.
import type { Route } from '@shipway/api/route'
import { type RouteName, routes } from '@shipway/api/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/people/actor.ts'
import { answerOptions } from './answer-serializer.ts'
import { authenticate } from './authenticate.ts'
import { allowBodyTime } from './front-server.ts'
import type { Answer, Call, Handler, Handlers } from './handler.ts'
import { answerOnce } from './idempotency.ts'
import { COUNTS_USERS, limitRate } from './rate-limit.ts'
import { readInput } from './read-input.ts'
import { type CacheKey, ResponseCache } from './response-cache.ts'
import { guardDeliveries } from './webhooks/guard-deliveries.ts'

export function bindRoutes(app: FastifyInstance, ctx: Context, handlers: Handlers): void {
  const limit = limitRate(ctx)
  const cache = new ResponseCache(ctx)
  for (const name of Object.keys(handlers)) {
    if (isRouteName(name)) bindRoute(app, name, { ctx, limit, cache, handler: handlers[name] as Handler<RouteName> })
  }
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name)

type Bound = {
  readonly ctx: Context
  readonly limit: ReturnType<typeof limitRate>
  readonly cache: ResponseCache
  readonly handler: Handler<RouteName>
}

function bindRoute(app: FastifyInstance, name: RouteName, bound: Bound): void {
  const route: Route = routes[name]
  if (route.rawBody) {
    // In a scope of its own: everything else takes JSON alone.
    app.register(async (scope) => {
      guardDeliveries(scope, bound.ctx)
      addRoute(scope, route, bound)
    })
    return
  }
  if (route.streamedBody) {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // The handler reads the request itself.
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      addRoute(scope, route, bound)
    })
    return
  }
  addRoute(app, route, bound)
}

function addRoute(app: FastifyInstance, route: Route, { ctx, limit, cache, handler }: Bound): void {
  /** A caller without a valid credential is rate limited by address. */
  const findActor = async (request: FastifyRequest): Promise<Actor | undefined> => {
    if (request.cached) return request.cached.actor
    let actor: Actor | undefined
    try {
      actor = await authenticate(ctx, route, request)
      return actor
    } finally {
      if (!actor) limit.byStranger(route, request)
    }
  }
  app.route({
    config: COUNTS_USERS,
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...answerOptions(route),
    // Before the body is read: a stranger's megabyte is not worth parsing.
    onRequest: async (request, reply) => {
      limit.byAddress(route, request, reply)
      request.cacheKey = await cache.keyOf(request)
      request.cached = cache.find(request.cacheKey)
      request.actor = await findActor(request)
      request.authenticatedAt = ctx.clock()
      limit.byActor(request, reply)
      if (route.streamedBody) allowBodyTime(request.raw, MOST_BODY_MS)
    },
    handler: async (request, reply) => {
      const { cached } = request
      if (cached) return reply.code(route.success).headers(cached.headers).type(JSON_TYPE).send(cached.payload)
      // A caller that takes long to send the body may have lost the permission meanwhile.
      if (ctx.clock() - request.authenticatedAt > FRESH_MS) request.actor = await authenticate(ctx, route, request)
      const call = {
        ...readInput(route, request),
        ctx,
        actor: request.actor,
        origin: { address: request.ip, requestId: request.id },
        request,
      } as Call<RouteName>
      const answer = await answerOnce(ctx, route, call, () => handler(call))
      reply.code(answer.isLater && route.mayBeLater ? 202 : route.success).headers(answer.headers ?? {})
      for (const cookie of answer.cookies ?? []) reply.header('set-cookie', cookie)
      if (!answer.isCacheable) return send(reply, route, answer)
      const payload = Buffer.from(String(reply.serialize(answer.body)))
      cache.store(request.cacheKey, request.actor, { payload, headers: answer.headers ?? {} })
      return reply.type(JSON_TYPE).send(payload)
    },
  })
}

/** How long an authentication stays valid while the body is read. */
const FRESH_MS = 1000
/** A handler that reads the body has narrower limits. */
const MOST_BODY_MS = 12 * 60_000
const JSON_TYPE = 'application/json; charset=utf-8'

function send(reply: FastifyReply, route: Route, answer: Answer<RouteName>): FastifyReply {
  if (answer.stream) return reply.code(answer.stream.status).type(answer.stream.type).send(answer.stream.bytes)
  if (route.answerType) reply.type(`${route.answerType}; charset=utf-8`)
  else if (answer.bytes) reply.type(JSON_TYPE)
  return reply.send(answer.bytes ?? answer.body)
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
    authenticatedAt: number
    cacheKey: CacheKey | undefined
    cached: ReturnType<ResponseCache['find']>
  }
}
