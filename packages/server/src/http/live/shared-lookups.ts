// Shares one credential lookup between connections that need the same one: after a change of roles all connections of a token ask at once.
import { setImmediate } from 'node:timers/promises'
import type { ConcurrencyLimit } from '../../scheduling/limit-concurrency.ts'

/** `limit` bounds how many run at once. */
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
      // All that ask in this turn of the event loop share it.
      await setImmediate()
      // A lookup that has begun may miss later changes: the next caller needs another.
      waiting.delete(key)
      return lookUp()
    })
    waiting.set(key, lookup)
    return lookup
  }
}
