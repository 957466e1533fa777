// Rows of alert_silences: environments whose alerts are sent to no channel.
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** `until` is null where it lasts until a member ends it. */
export type Silence = { readonly until: number | null }

/** Undefined where there is none, or it is over. */
export async function findSilence(
  db: Kysely<Tables>,
  environmentId: number,
  now: number,
): Promise<Silence | undefined> {
  const row = await selectSilences(db, now).where('environment_id', '=', environmentId).executeTakeFirst()
  return row && { until: row.until }
}

export async function listSilencedEnvironments(db: Kysely<Tables>, now: number): Promise<ReadonlySet<number>> {
  return new Set((await selectSilences(db, now).execute()).map((row) => row.environment_id))
}

type NewSilence = { readonly environmentId: number; readonly until: number | null }

export async function upsertSilence(tx: Change, { environmentId, until }: NewSilence): Promise<void> {
  await tx
    .insertInto('alert_silences')
    .values({ environment_id: environmentId, until })
    .onConflict((conflict) => conflict.column('environment_id').doUpdateSet({ until }))
    .execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export async function deleteSilence(tx: Change, environmentId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('alert_silences')
    .where('environment_id', '=', environmentId)
    .returning('environment_id')
    .execute()
  if (deleted.length === 1) tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  return deleted.length === 1
}

const selectSilences = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('alert_silences')
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .selectAll()
