// Restarts of services that no sample has counted yet.
import { type Kysely, sql } from 'kysely'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

/** By environment and service. Marks them as counted: a caller that fails afterwards loses them, and counts none twice. */
export async function takeRestarts(
  db: Kysely<Tables>,
  environmentIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const { rows } = await sql<{ environment_id: number; name: string; restarts: number; counted_restarts: number }>`
    select environment_id, name, restarts, counted_restarts from services
    where environment_id in (${idList(environmentIds)}) and counted_restarts <> restarts`.execute(db)
  const taken = new Map<number, Map<string, number>>()
  for (const { environment_id: id, name, restarts, counted_restarts: counted } of rows) {
    await sql`
      update services set counted_restarts = ${restarts} where environment_id = ${id} and name = ${name}`.execute(db)
    const own = taken.get(id) ?? new Map<string, number>()
    // Fewer than before: another container, which began at zero.
    taken.set(id, own.set(name, restarts >= counted ? restarts - counted : restarts))
  }
  return taken
}
