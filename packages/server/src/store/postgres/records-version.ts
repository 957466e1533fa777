import type { Pool } from 'pg'

/**
 * The last number of the journal, and the server that gave it: after a fail-over to a replica that lags behind, the same number can
 * name another change. Requests that ask while a query is under way share the next one: the query under way may have missed what was
 * committed just before they asked. They all wait for it, so a connection that has fallen silent is given up soon; the caller's own
 * queries report what is wrong.
 */
export function versionOf(pool: Pool): () => Promise<string | undefined> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string | undefined> | undefined
  const read = async (): Promise<string | undefined> => {
    next = undefined
    const found = await pool.query<{ version: string }>(VERSION).catch(() => undefined)
    return found?.rows[0]?.version
  }
  return () => {
    if (next) return next
    next = running.then(read)
    running = next
    return next
  }
}

const VERSION = {
  name: 'shipway_version',
  text: "select seq || ' ' || pg_postmaster_start_time() as version from journal_end",
  query_timeout: 2_000,
}
