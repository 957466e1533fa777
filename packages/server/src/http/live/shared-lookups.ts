// One lookup for everybody who waits for the same one: a change of a user's roles makes all connections with one token ask at once.
import { setImmediate } from 'node:timers/promises'
import type { ConcurrencyLimit } from '../../scheduling/limit-concurrency.ts'

/** `turnstile` bounds how many run at once. */
export type SharedLookups<Found> = (
  key: string,
  lookUp: () => Promise<Found>,
  limit: ConcurrencyLimit,
) => Promise<Found>

export function createSharedLookups<Found>(): SharedLookups<Found> {
  const waiting = new Map<string, Promise<Found>>()
  return (key, lookUp, limit) => {
    const shared = waiting.get(key)
    if (shared) return shared
    const lookup = limit(async () => {
      // All who ask in this turn of the event loop are in it.
      await setImmediate()
      // A lookup that has begun may not see what changed since: the next one who asks needs another.
      waiting.delete(key)
      return lookUp()
    })
    waiting.set(key, lookup)
    return lookup
  }
}
