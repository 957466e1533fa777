// Time until an environment expires, once it is less than a day: “removed in 5 h unless deployed”.
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const NEAR_MS = 24 * HOUR

/** Undefined if it does not expire within a day. */
export function describeExpiry(expiresAt: string | null, now: Date): string | undefined {
  if (expiresAt === null) return undefined
  const ms = Date.parse(expiresAt) - now.getTime()
  if (ms > NEAR_MS) return undefined
  if (ms < MINUTE) return 'removed shortly unless deployed'
  const left = ms < HOUR ? `${Math.floor(ms / MINUTE)} min` : `${Math.floor(ms / HOUR)} h`
  return `removed in ${left} unless deployed`
}
