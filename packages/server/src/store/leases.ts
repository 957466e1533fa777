// Rows of leases: work that only one process does at a time. Times are the database's.
import { type Kysely, sql } from 'kysely'
import { databaseTime } from './database-time.ts'
import type { Tables } from './tables/tables.ts'

const LEASE_MS = 30_000

type NamedLease = { readonly name: 'certificates' | `${typeof TERMINALS}${string}`; readonly holder: string }

/** Each platform process that carries terminals has a lease of its own. */
const TERMINALS = 'terminals '

/** Of the platform process with this id. */
export const terminalsLease = (processId: string): NamedLease => ({
  name: `${TERMINALS}${processId}`,
  holder: processId,
})

/** Platform processes that ended without ending their terminals. */
export async function listLostTerminals(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('leases')
    .where('name', 'like', `${TERMINALS}%`)
    .where('until', '<', databaseTime(db))
    .select('holder')
    .execute()
  return rows.map(({ holder }) => holder)
}

/** Takes or renews the lease. False while another process has it. */
export async function holdLease(db: Kysely<Tables>, { name, holder }: NamedLease): Promise<boolean> {
  const now = databaseTime(db)
  const { rows } = await sql`
    insert into leases (name, holder, until) values (${name}, ${holder}, ${now} + ${sql.lit(LEASE_MS)})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < ${now}
    returning name`.execute(db)
  return rows.length === 1
}

/** Lets the next process take it at once. */
export async function endLease(db: Kysely<Tables>, { name, holder }: NamedLease): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
