// Time until an environment expires, once it is less than a day: “removed in 5 h unless deployed”.
import type { Environment } from '@shipway/api'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const NEAR_MS = 24 * HOUR

/** Undefined if it does not expire within a day. */
export function describeExpiry(
  { expires_at: at, upload }: Pick<Environment, 'expires_at' | 'upload'>,
  now: Date,
): string | undefined {
  if (at === null) return undefined
  const ms = Date.parse(at) - now.getTime()
  if (ms > NEAR_MS) return undefined
  // Another deployment does not restart the time of an upload.
  const unless = upload ? 'unless extended' : 'unless deployed'
  if (ms < MINUTE) return `removed shortly ${unless}`
  const left = ms < HOUR ? `${Math.floor(ms / MINUTE)} min` : `${Math.floor(ms / HOUR)} h`
  return `removed in ${left} ${unless}`
}
