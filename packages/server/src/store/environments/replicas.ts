// Rows of service_replicas: how many containers users chose for a service, in place of what its file says.
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export async function findReplicas(db: Kysely<Tables>, environmentId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('service_replicas')
    .where('environment_id', '=', environmentId)
    .orderBy('service')
    .select(['service', 'replicas'])
    .execute()
  return new Map(rows.map(({ service, replicas }) => [service, replicas]))
}

/** Null goes back to what the file says. */
export async function updateReplicas(
  tx: Change,
  environmentId: number,
  replicas: ReadonlyMap<string, number | null>,
): Promise<void> {
  for (const [service, count] of replicas) {
    if (count === null)
      await tx
        .deleteFrom('service_replicas')
        .where('environment_id', '=', environmentId)
        .where('service', '=', service)
        .execute()
    else
      await tx
        .insertInto('service_replicas')
        .values({ environment_id: environmentId, service, replicas: count })
        .onConflict((conflict) => conflict.columns(['environment_id', 'service']).doUpdateSet({ replicas: count }))
        .execute()
  }
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}
