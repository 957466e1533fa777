// Rate limits of several processes on one database: what each of them counts is added up there.
import type { RateLimiter, RateLimitKey } from './rate-limiter.ts'
import { refundAll, takeAll } from './rate-limiter.ts'

export type SharedCounts = {
  /** From now on the counts of this limiter are exchanged. `id` names it in all processes. */
  share(id: string, limiter: RateLimiter, options?: { readonly isExact?: boolean }): RateLimiter
  /** Resolves when these counts are those of all processes. */
  exchange(counts: readonly RateLimitKey[], now: number): Promise<void>
  /** Exchanges what was counted since the last time. */
  exchangeAll(now: number): Promise<void>
}

/** The embedded database belongs to one process. */
export const ownCounts: SharedCounts = {
  share: (_id, limiter) => limiter,
  exchange: async () => undefined,
  exchangeAll: async () => undefined,
}

/** `takeAll`, where the counts of other processes count too: of two attempts at once in two processes, one may be the last. */
export async function takeFromSharedLimits(
  shared: SharedCounts,
  counts: readonly RateLimitKey[],
  now: number,
): Promise<ReturnType<typeof takeAll>> {
  const tooMany = takeAll(counts, now)
  if (tooMany) {
    // Another process may have forgotten or given back what is known here.
    await shared.exchange([tooMany.by], now)
    const stillTooMany = takeAll(counts, now)
    if (stillTooMany) return stillTooMany
  }
  try {
    await shared.exchange(counts, now)
  } catch (error) {
    refundAll(counts)
    throw error
  }
  const states = counts.map((by) => ({ by, ...by.limiter.count(by.key, now, 0) }))
  const over = states.find(({ left }) => left < 0)
  if (!over) return undefined
  refundAll(counts)
  return { waitMs: over.resetMs, by: over.by }
}
