// Refuses requests whose host is not ours, or that two readers could understand differently.
import { isIP } from 'node:net'
import { reachOf } from '@shipway/api/values/reach'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'

export function refuseAmbiguous(app: FastifyInstance, ctx: Context): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/')) throw Ambiguous('Ask for a path that begins with a slash')
    if (countHeader(request, 'host') > 1) throw Ambiguous('Send one Host header')
    if (countHeader(request, 'authorization') > 1) throw Ambiguous('Send one Authorization header')
    const upgrade = request.headers.upgrade
    if (upgrade !== undefined && upgrade.toLowerCase() !== 'websocket') {
      throw Ambiguous('Only an upgrade to a WebSocket is understood here')
    }
    if (request.headers['content-encoding'] !== undefined) {
      throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding')
    }
    const isProbe = request.url === '/healthz' || request.url === '/readyz'
    if (!isProbe && !isOwnHost(ctx, request.headers.host)) {
      if (isAskedByPerson(request)) {
        reply.hijack()
        return ctx.embeddedEdge.answerStranger(reply.raw, { isPerhapsOperator: isPerhapsOperator(ctx, request) })
      }
      throw new AppError(
        'misdirected_request',
        'This host name is not served here. Set SHIPWAY_BASE_URL to the address that people use',
      )
    }
  })
}

/** Programs that know the platform ask for JSON, or for a path of its API. All others get a page. */
function isAskedByPerson({ headers, url }: FastifyRequest): boolean {
  return !url.startsWith('/api/') && !/\bjson\b/i.test(headers.accept ?? '')
}

/** During set-up the administrator comes by an address of the machine, or by a name that the base address does not have yet. */
function isPerhapsOperator({ config }: Context, { headers }: FastifyRequest): boolean {
  const name = (headers.host ?? '').replace(/:\d*$/, '')
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.')) return true
  // Names beneath localhost are those of environments, on a machine where things are tried out.
  return reachOf(config.baseUrl) === 'this machine' && !name.toLowerCase().endsWith('.localhost')
}

/** Nothing more is read from that connection: what follows could belong to another client's request. */
const Ambiguous = (detail: string) => new AppError('malformed_request', detail, { headers: { connection: 'close' } })

/** The host of the base address, or this machine by one of its loopback names on any port. */
export function isOwnHost({ config }: Pick<Context, 'config'>, host: string | undefined): boolean {
  if (host === undefined) return false
  const [, own] = config.baseUrl.split('//')
  if (host.toLowerCase() === own) return true
  return /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/i.test(host)
}

/** Node keeps the first of two; only the raw list, name and value in turns, has both. */
function countHeader(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const text = rawHeaders[index]
    if (text?.length === name.length && text.toLowerCase() === name) count++
  }
  return count
}
