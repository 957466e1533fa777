import type { Pool } from 'pg'
import type { ShownTransactions } from './shown-transactions.ts'

/**
 * Another text after every commit that may have changed a record: what is visible now, and by which server. Whoever asks while one look
 * is under way shares the next one with the others that wait: the look under way may have missed what was committed just before they
 * asked. A connection that has fallen silent is given up soon, since all wait for it; whatever is wrong is for the queries that come
 * next to tell.
 */
export function versionOf(pool: Pool, shown: ShownTransactions): () => Promise<string | undefined> {
  let looking: Promise<unknown> = Promise.resolve()
  let next: Promise<string | undefined> | undefined
  const look = async (): Promise<string | undefined> => {
    next = undefined
    const found = await pool.query<{ snapshot: string; server: string }>(LOOK).catch(() => undefined)
    const [row] = found?.rows ?? []
    if (row) return shown.versionAt(row.snapshot, row.server)
    shown.forget()
    return undefined
  }
  return () => {
    if (next) return next
    next = looking.then(look)
    looking = next
    return next
  }
}

const LOOK = {
  name: 'shipway_version',
  text: 'select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server',
  query_timeout: 2_000,
}
