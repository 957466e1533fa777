// How projects are called, for answers that name them beside something else.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

/** The caller may see them all. */
export async function listProjectNames(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('projects')
    .where('id', 'in', [...new Set(ids)])
    .select(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
