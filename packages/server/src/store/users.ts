// Rows of users.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function countUsers(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
