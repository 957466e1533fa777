/**
 * Adds up the counts of rate limits over all processes on one PostgreSQL. No request waits for it, except those that guess a password or a
 * code: these are exact, and check a password anyway, which takes longer.
 *
 *   requests    each process counts in memory. Once a second it adds what keys with a twentieth of their limit or more counted since the
 *               last time, in one statement per limit, and gets the sum of all processes back. So n processes let through at most the
 *               limit, n - 1 twentieths of it, and what arrives at the others within a second; keys that are far from their limit,
 *               such as thousands of addresses with one request each, cost no query at all
 *   guesses     are added and read before the guess is checked
 *
 * The database has no key as it is: in the field of an e-mail people type passwords, too.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { RateLimiter, UnsentCount } from '../../scheduling/rate-limiter.ts'
import { createSerializer } from '../../scheduling/serialize.ts'
import type { SharedCounts } from '../../scheduling/shared-counts.ts'
import type { Box } from '../../secrets/box.ts'
import type { Tables } from '../tables/tables.ts'

/** The share of its limit that a key must have used before other processes are notified. */
const SHARED_FROM = 1 / 20
/** Keys of one limit in one statement. More wait for the next one. */
const MOST_KEYS = 1000
const PREFIX = 'rate '

type Dependencies = { readonly db: Kysely<Tables>; readonly box: Pick<Box, 'fingerprint'> }

export function createSharedCounts({ db, box }: Dependencies): SharedCounts {
  const limiters = new Map<RateLimiter, string>()
  const serializer = createSerializer<string>()

  /** One after the other for each limiter: an earlier sum must not come after a later one. */
  const send = (limiter: RateLimiter, take: () => readonly UnsentCount[], now: number): Promise<void> =>
    serializer.run(limiters.get(limiter) ?? '', async () => {
      const unsent = take()
      if (unsent.length === 0) return
      const keys = new Map(
        unsent.map((count) => [`${PREFIX}${box.fingerprint(`${limiters.get(limiter)} ${count.key}`)}`, count]),
      )
      try {
        for (const { key, started_at: startedAt, count } of await addCounts(db, keys, { limiter, now })) {
          const known = keys.get(key)
          if (known) limiter.merge({ key: known.key, count, startedAt })
        }
      } catch (error) {
        for (const count of unsent) limiter.putBack(count)
        throw error
      }
    })

  return {
    share: (id, limiter, { isExact = false } = {}) => {
      limiter.shareFrom(isExact ? 1 : Math.max(1, Math.ceil(limiter.most * SHARED_FROM)))
      limiters.set(limiter, id)
      return limiter
    },
    exchange: async (counts, now) => {
      await Promise.all(counts.map(({ limiter, key }) => send(limiter, () => limiter.takeUnsentOf(key), now)))
    },
    exchangeAll: async (now) => {
      for (const limiter of limiters.keys()) await send(limiter, () => limiter.takeUnsent(MOST_KEYS), now)
    },
  }
}

type CounterRow = { readonly key: string; readonly started_at: number; readonly count: number }
type Adding = { readonly limiter: RateLimiter; readonly now: number }

/** A window that has ended begins anew. Sorted, so that two processes lock the rows in the same order. */
async function addCounts(
  db: Kysely<Tables>,
  counts: ReadonlyMap<string, UnsentCount>,
  { limiter, now }: Adding,
): Promise<readonly CounterRow[]> {
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const keys = sorted.map(([key]) => key)
  const starts = sorted.map(([, { startedAt }]) => startedAt)
  const added = sorted.map(([, { count }]) => count)
  const ended = now - limiter.windowMs
  const { rows } = await sql<CounterRow>`
    insert into counters as c (key, started_at, count)
    select key, started_at, count
      from unnest(${keys}::text[], ${starts}::bigint[], ${added}::bigint[]) as sent (key, started_at, count)
    on conflict (key) do update set
      started_at = case when c.started_at <= ${ended} then excluded.started_at else c.started_at end,
      count = case when c.started_at <= ${ended} then greatest(0, excluded.count) else greatest(0, c.count + excluded.count) end
    returning key, started_at, count`.execute(db)
  return rows
}

/** Longer ago than any window is long. */
const KEPT_MS = 2 * 60 * 60_000

/** Skips locked rows: a process is adding to them. */
export async function deleteOldCounts(db: Kysely<Tables>, now: number): Promise<void> {
  await sql`delete from counters where key in (
    select key from counters where started_at < ${now - KEPT_MS} and key like ${`${PREFIX}%`}
    ${isPostgres(db) ? sql`for update skip locked` : sql``})`.execute(db)
}

const isPostgres = (db: Kysely<Tables>): boolean => db.getExecutor().adapter instanceof PostgresAdapter
