// How long a session of the dashboard lasts: at most this many days, and fewer without use.
const DAY_MS = 86_400_000

export const SESSION_LIFE_MS = 30 * DAY_MS
const SESSION_IDLE_MS = 14 * DAY_MS

export function sessionEnd({ expiresAt, lastSeenAt }: { expiresAt: number; lastSeenAt: number }): number {
  return Math.min(expiresAt, lastSeenAt + SESSION_IDLE_MS)
}
