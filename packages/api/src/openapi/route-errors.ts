// Every error that a caller of a route may meet: those that it names, and those that follow from what it takes.
import { type ErrorCode, PROBLEMS } from '../problem.ts'
import type { Route } from '../route.ts'

/** In the order of the catalogue. */
export function errorsOf(route: Route): ErrorCode[] {
  const general = GENERAL_ERRORS.filter(({ applies }) => applies(route)).flatMap(({ codes }) => codes)
  const codes = new Set<ErrorCode>([...general, ...(route.errors ?? [])])
  return CODES.filter((code) => codes.has(code))
}

/** Those that its general ones do not cover, by status. */
export function ownErrorsOf(route: Route): Record<string, ErrorCode[]> {
  const general = errorsOf({ ...route, errors: [] })
  const own = errorsOf(route).filter((code) => !general.includes(code))
  return Object.fromEntries(Map.groupBy(own, (code) => PROBLEMS[code].status))
}

/** Whether `X-Service-Organization` counts. `GET /api/me` lists what the header can name, so it leaves it aside. */
export const isNarrowed = (route: Route): boolean =>
  route.path.startsWith('/api/') && !(route.method === 'GET' && route.path === '/api/me')

/** Whether the route is a change that takes `If-Match`. */
export const isConditional = (route: Route): boolean => route.versioned === true && route.method !== 'GET'

type GeneralErrors = {
  /** Which operations give them, in words. */
  readonly where: string
  readonly applies: (route: Route) => boolean
  readonly codes: readonly ErrorCode[]
}

const isPublic = ({ permission }: Route): boolean => permission === 'public'

/** Errors that no route names, since they follow from how it is called. */
export const GENERAL_ERRORS: readonly GeneralErrors[] = [
  {
    where: 'Every operation',
    applies: () => true,
    codes: ['malformed_request', 'misdirected_request', 'rate_limited', 'internal_error', 'unavailable'],
  },
  {
    where: 'Every operation that is called with a token',
    applies: () => true,
    codes: ['invalid_token', 'token_expired'],
  },
  {
    where: 'Operations that are not public',
    applies: (route) => !isPublic(route),
    codes: ['authentication_required'],
  },
  {
    where: 'Operations that need a role (`x-permission`)',
    applies: (route) => !isPublic(route) && route.permission !== 'signed_in' && route.permission !== 'read',
    codes: ['insufficient_role'],
  },
  {
    where: 'Operations that need a scope (`x-scope`)',
    applies: ({ scope }) => scope !== 'none',
    codes: ['insufficient_scope'],
  },
  {
    where: 'Operations for sessions alone',
    applies: ({ sessionOnly }) => sessionOnly === true,
    codes: ['session_required'],
  },
  { where: 'Changes', applies: ({ method }) => method !== 'GET', codes: ['cross_origin_refused'] },
  {
    where: 'Operations under `/api`, for the header `X-Service-Organization`',
    applies: isNarrowed,
    codes: ['invalid_organization_header', 'organization_not_accessible', 'not_found'],
  },
  {
    where: 'Operations with a parameter in the path',
    applies: ({ params }) => params !== undefined,
    codes: ['not_found'],
  },
  {
    where: 'Operations with a query, a body or `Idempotency-Key`',
    applies: ({ query, body, idempotent }) => query !== undefined || body !== undefined || idempotent === true,
    codes: ['validation_failed'],
  },
  {
    where: 'Operations with a body',
    applies: ({ body }) => body !== undefined,
    codes: ['malformed_json', 'payload_too_large', 'unsupported_media_type'],
  },
  {
    where: 'Operations that take `Idempotency-Key`',
    applies: ({ idempotent }) => idempotent === true,
    codes: ['idempotency_key_reused', 'request_in_progress'],
  },
  { where: 'Operations that take `If-Match`', applies: isConditional, codes: ['precondition_failed'] },
]

const CODES = Object.keys(PROBLEMS) as ErrorCode[]
