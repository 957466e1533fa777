// Rows of leases: work that only one process does at a time. Times are the database's.
import { type Kysely, sql } from 'kysely'
import { databaseTime } from './database-time.ts'
import type { Tables } from './tables/tables.ts'

const LEASE_MS = 30_000

type NamedLease = { readonly name: 'certificates'; readonly holder: string }

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
