// The HTTP application: conduct that every request shares, then the routes.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cookies from '@fastify/cookie'
import helmet from '@fastify/helmet'
import { routes } from '@shipway/api/routes'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'
import { VERSION } from '../version.ts'
import { bindRoutes } from './bind.ts'
import { sendError, sendProblem } from './error-response.ts'
import { handlers } from './handlers/handlers.ts'
import { refuseAmbiguous } from './host.ts'
import { countRequests } from './metrics.ts'

export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = ctx.log
  const app = Fastify({
    loggerInstance,
    disableRequestLogging: true,
    bodyLimit: BODY_LIMIT,
    trustProxy: ctx.config.trustedProxies.length > 0 ? [...ctx.config.trustedProxies] : false,
    requestTimeout: 30_000,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // Strict schemas name such keys as unknown fields, which says more than a refusal to parse.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => sendError(ctx, error, request, reply),
    ajv: { customOptions: { strict: false } },
  })
  app.decorateRequest('actor', undefined)
  await app.register(helmet, SECURITY_HEADERS)
  await app.register(cookies)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-service-version': VERSION, 'cache-control': 'no-store' })
  })
  refuseAmbiguous(app, ctx)
  countRequests(app)
  logRequests(app)
  readJsonOnly(app)
  app.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply))
  app.setNotFoundHandler((request, reply) => sendProblem(ctx, noRoute(request.method, request.url), request, reply))
  bindRoutes(app, ctx, handlers)
  return app
}

const BODY_LIMIT = 2 * 1024 * 1024

/** Nothing is loaded from elsewhere, nothing is framed; pages that need a script name its hash themselves. */
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
} as const

/** A caller may bring an id to follow a request by, as long as it cannot forge a log line. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(header) ? header : randomUUID()
}

/** An empty body with the type JSON is no body, so that `curl -X POST -H 'content-type: application/json'` works. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, String(body), done)
  })
}

/** The route's pattern and never the address: an address can hold what people paste into it. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = { method: request.method, route: request.routeOptions.url ?? null, status: reply.statusCode }
    request.log.info({ ...line, ms: Math.round(reply.elapsedTime), user: request.actor?.userId ?? null }, 'request')
  })
}

function noRoute(method: string, url: string): AppError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = Object.values(routes)
    .filter((route) => patternOf(route.path).test(path))
    .map((route) => route.method)
  if (allowed.length === 0 || allowed.some((other) => other === method)) {
    return new AppError('endpoint_not_found', 'There is no such endpoint. The reference is at /api/reference')
  }
  return new AppError('method_not_allowed', `Use ${allowed.join(' or ')} here`, {
    headers: { allow: allowed.join(', ') },
  })
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** What the parser could not read never becomes a request; it is answered and the connection closed. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  socket.end(
    `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
