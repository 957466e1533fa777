// The HTTP application: conduct that every request shares, then the routes.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { routes } from '@shipway/api/routes'
import { JsonTooLarge, parseBoundedJson } from '@shipway/rules/bounded-json'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { AppError, BodyTooComplex } from '../domain/errors.ts'
import { VERSION } from '../version.ts'
import { registerDownloads } from './artifacts/downloads.ts'
import { bindRoutes } from './bind.ts'
import { connectionOf } from './connections/connection.ts'
import { sendError, sendProblem } from './error-response.ts'
import { createFrontServer } from './front-server.ts'
import { handlers } from './handlers/handlers.ts'
import { refuseAmbiguous } from './host.ts'
import { registerLive } from './live/register-live.ts'
import { registerFollowers } from './logs/followers.ts'
import { countRequests } from './metrics/count-requests.ts'
import { measureMails } from './metrics/measure-mails.ts'
import { measureServices } from './metrics/measure-services.ts'
import { registerOauth } from './oauth/oauth.ts'
import { registerPages, wantsPage } from './pages/pages.ts'
import { countStrangers } from './rate-limit.ts'
import { securityHeaders } from './security-headers.ts'
import { answerUnreadable } from './unreadable.ts'

export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = ctx.log
  const commonHeaders = { ...securityHeaders(ctx.config), 'x-service-version': VERSION, 'cache-control': 'no-store' }
  // It never listens: upgrades that are meant for the platform are handed on by it.
  const live = createServer()
  const app = Fastify({
    serverFactory: (platform, options) =>
      createFrontServer(ctx.embeddedEdge, platform, {
        ...options,
        live,
        trustedProxies: ctx.config.trustedProxies,
        onCut: (reason, client) => ctx.log.info({ reason, client }, 'closed a connection whose client does not read'),
      }),
    loggerInstance,
    // A line of our own says it: theirs hold the address, in which people paste what they should not.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    trustProxy: ctx.config.trustedProxies.length > 0 ? [...ctx.config.trustedProxies] : false,
    requestTimeout: 30_000,
    // What still comes on a connection that is open is answered: the database is closed after it.
    return503OnClosing: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    clientErrorHandler: answerUnreadable,
    // An address that cannot be read passes no hook.
    frameworkErrors: (error, request, reply) => sendError(ctx, error, request, reply.headers(commonHeaders)),
    ajv: { customOptions: { strict: false } },
  })
  // Open WebSockets would keep the server from closing: those of applications, and one that is asked for from here on.
  app.addHook('preClose', () => {
    live.removeAllListeners('upgrade')
    return ctx.embeddedEdge.close()
  })
  app.decorateRequest('actor', undefined)
  app.decorateRequest('authenticatedAt', 0)
  app.decorateRequest('cacheKey', undefined)
  app.decorateRequest('cached', undefined)
  // What every request passes waits for nothing: a hook that returns a promise costs each request a turn.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders).header('x-request-id', request.id)
    done()
  })
  closeRefusedUpgrades(app)
  countStrangers(app, ctx)
  refuseAmbiguous(app, ctx)
  countRequests(app, ctx)
  measureMails(app, ctx)
  measureServices(app, ctx)
  registerFollowers(app, ctx)
  registerDownloads(app)
  logRequests(app)
  readJsonOnly(app)
  app.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply))
  bindRoutes(app, ctx, handlers)
  await registerLive(app, ctx, live)
  await registerOauth(app, ctx)
  const dashboard = registerPages(app, ctx)
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return dashboard.sendPage(request, reply.code(404))
    return sendProblem(ctx, noRoute(request.method, request.url), request, reply)
  })
  return app
}

/** Refuses bytes that are no text, where the usual decoder would put other characters in their place. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

const BODY_LIMIT = 2 * 1024 * 1024
/** No request needs a tenth of it. */
const JSON_LIMITS = { values: 10_000, depth: 32 } as const

/** A caller may bring an id to follow a request by, as long as it cannot forge a log line. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(header) ? header : randomUUID()
}

/** The parser has let go of such a connection: after the answer it can only be closed, and the answer has to say so. */
function closeRefusedUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, { raw: res }, done) => {
    if (connectionOf(socket)?.isUpgraded) {
      res.shouldKeepAlive = false
      res.once('finish', () => socket.destroySoon())
    }
    done()
  })
}

/** An empty body with the type JSON is no body, so that `curl -X POST -H 'content-type: application/json'` works. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: string | Buffer) => {
      if (/charset=(?!"?utf-8"?\s*(;|$))/i.test(request.headers['content-type'] ?? '')) {
        throw new AppError('unsupported_media_type', 'Send the body as JSON in UTF-8')
      }
      try {
        return body.length === 0 ? undefined : parseBoundedJson(utf8.decode(Buffer.from(body)), JSON_LIMITS)
      } catch (cause) {
        if (cause instanceof JsonTooLarge) throw BodyTooComplex(JSON_LIMITS.values)
        throw new AppError('malformed_json', 'The body is not valid JSON', { cause })
      }
    },
  )
}

/** The route's pattern, never the address. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = { method: request.method, route: request.routeOptions.url ?? null, status: reply.statusCode }
    request.log.info({ ...line, ms: Math.round(reply.elapsedTime), user: request.actor?.userId ?? null }, 'request')
    done()
  })
}

/** What to say where no route fits: another method, or nothing at all. */
function noRoute(method: string, url: string): AppError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = PATTERNS.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
  if (allowed.length === 0 || allowed.some((other) => other === method)) {
    return new AppError('endpoint_not_found', 'There is no such endpoint. The reference is at /api/reference')
  }
  const headers = { allow: allowed.join(', ') }
  return new AppError('method_not_allowed', `Use ${allowed.join(' or ')} here`, { headers })
}

const PATTERNS = Object.values(routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
