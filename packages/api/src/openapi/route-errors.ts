// Every error that a caller of a route may meet: those that it names, and those that follow from what it takes.
import { type ErrorCode, PROBLEMS } from '../problem.ts'
import type { Route } from '../route.ts'

/** In the order of the catalogue. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<string>([
    ...EVERYWHERE,
    ...(route.permission === 'public' ? [] : ['authentication_required']),
    ...(route.permission === 'public' || route.permission === 'signed_in' || route.permission === 'read'
      ? []
      : ['insufficient_role']),
    ...(route.scope === 'none' ? [] : ['insufficient_scope']),
    ...(route.sessionOnly ? ['session_required'] : []),
    ...(route.method === 'GET' ? [] : ['cross_origin_refused']),
    ...(isNarrowed(route) ? ['invalid_organization_header', 'organization_not_accessible', 'not_found'] : []),
    ...(route.params ? ['not_found'] : []),
    ...(route.query ? ['validation_failed'] : []),
    ...(route.body ? OF_BODIES : []),
    ...(route.idempotent ? ['idempotency_key_reused', 'request_in_progress', 'validation_failed'] : []),
    ...(isConditional(route) ? ['precondition_failed'] : []),
    ...(route.errors ?? []),
  ])
  return CODES.filter((code) => codes.has(code))
}

/** Whether `X-Service-Organization` counts. `GET /api/me` lists what the header can name, so it leaves it aside. */
export const isNarrowed = (route: Route): boolean =>
  route.path.startsWith('/api/') && !(route.method === 'GET' && route.path === '/api/me')

/** Whether the route is a change that takes `If-Match`. */
export const isConditional = (route: Route): boolean => route.versioned === true && route.method !== 'GET'

/** A bad token is refused by a public route as well. */
const EVERYWHERE = [
  'malformed_request',
  'invalid_token',
  'token_expired',
  'misdirected_request',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const OF_BODIES = ['malformed_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed']

const CODES = Object.keys(PROBLEMS) as ErrorCode[]
