// Signing in from the command line: the one client, how long its codes and tokens live, and how a user code is written.
import { SCOPES, type Scope } from '@shipway/api/route'

export const OAUTH_CLIENT = { id: 'shipway-cli', name: 'Shipway command line' } as const

/** Seconds. A refresh token lives this long unused; the whole sign-in ends with its grant, however often it is renewed. */
export const OAUTH_LIFETIMES = {
  deviceCode: 600,
  accessToken: 3600,
  refreshToken: 30 * 86_400,
  grant: 90 * 86_400,
} as const

/** How long a device waits between two questions (RFC 8628). */
export const POLL_INTERVAL_SECONDS = 5

/** What a client that names no scope gets. */
const DEFAULT_SCOPE: Scope = 'read'

/** The scopes of a request that are known here, in our order; none when it names only unknown ones. */
export function scopesAskedFor(scope: string | undefined): readonly Scope[] {
  if (scope === undefined) return [DEFAULT_SCOPE]
  const names = scope.split(' ')
  return SCOPES.filter((known) => names.includes(known))
}

/** People type codes in small letters, with spaces or without the hyphen; undefined for what cannot be a code. */
export function readUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code) ? code : undefined
}

export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
