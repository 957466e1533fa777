// A cookie travels with whatever page sends it, so a change by cookie must come from our own pages.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'
import { isOwnHost } from './host.ts'

export function refuseForeignOrigin(ctx: Context, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOurs = origin === undefined ? site === 'same-origin' : isOwnOrigin(ctx, request, origin)
  if (isOurs && (site === undefined || site === 'same-origin')) return
  throw new AppError(
    'cross_origin_refused',
    'A change with the session cookie must come from the dashboard itself. Scripts use a bearer token',
  )
}

/**
 * Whether a page of another site, or of a neighbouring host, loads this as a part of itself: as an image, a frame, by a script or
 * ahead of time. The browser sends the cookie along to a neighbour's request, and the visitor knows nothing of it.
 */
export function isPartOfForeignPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return headers['sec-fetch-dest'] !== 'document' || headers['sec-purpose'] !== undefined
}

/**
 * A page of any site can open a WebSocket here, and the browser sends the cookie along: only our own may. Programs, which send no
 * origin, bring a token.
 */
export function refuseForeignSocket(ctx: Context, request: FastifyRequest): void {
  const { origin, authorization } = request.headers
  // An empty header is no token: the cookie would count.
  const isWithoutCookie = Boolean(authorization) || !request.headers.cookie
  if (origin === undefined ? isWithoutCookie : isOwnOrigin(ctx, request, origin)) return
  throw new AppError(
    'cross_origin_refused',
    'A live connection by the session cookie must come from the dashboard itself. Programs use a bearer token',
  )
}

/** Browsers send one of these with every change; programs as a rule neither. */
export const isFromPage = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined

/** The origin must be the very host that the request was sent to, and that host one of ours, by our own scheme. */
function isOwnOrigin(ctx: Context, request: FastifyRequest, origin: string): boolean {
  const url = URL.parse(origin)
  const host = request.headers.host?.toLowerCase()
  if (url === null || url.host !== host || !isOwnHost(ctx, host)) return false
  // A page that came by http could have been written by anybody on the way.
  return url.host !== new URL(ctx.config.baseUrl).host || url.origin === ctx.config.baseUrl
}
