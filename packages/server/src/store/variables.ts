// Rows of variables. Values come sealed, and are listed apart from what may be shown.
import type { Insertable, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Variable = {
  readonly key: string
  readonly updatedAt: number
  readonly updatedBy: { readonly id: number; readonly name: string }
}

/** By key. Sorted here, since the databases sort text differently. */
export async function listVariables(db: Kysely<Tables>, environmentId: number): Promise<readonly Variable[]> {
  const rows = await db
    .selectFrom('variables as v')
    .innerJoin('users as u', 'u.id', 'v.updated_by')
    .where('v.environment_id', '=', environmentId)
    .select(['v.key', 'v.updated_at', 'u.id as user_id', 'u.name as user_name'])
    .execute()
  return rows
    .map((row) => ({ key: row.key, updatedAt: row.updated_at, updatedBy: { id: row.user_id, name: row.user_name } }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
}

export async function listSealedVariables(
  db: Kysely<Tables>,
  environmentId: number,
): Promise<readonly { readonly key: string; readonly valueSealed: string }[]> {
  const rows = await db
    .selectFrom('variables')
    .where('environment_id', '=', environmentId)
    .select(['key', 'value_sealed'])
    .execute()
  return rows.map((row) => ({ key: row.key, valueSealed: row.value_sealed }))
}

/** Where a value is sealed for: copied to another environment or another key, it does not open. */
export const placeOfVariable = (environmentId: number, key: string) => ({
  table: 'variables',
  column: 'value_sealed',
  row: `${environmentId}/${key}`,
})

export async function insertOrUpdateVariables(
  db: Kysely<Tables>,
  rows: readonly Insertable<Tables['variables']>[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('variables')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'key']).doUpdateSet((eb) => ({
        value_sealed: eb.ref('excluded.value_sealed'),
        updated_at: eb.ref('excluded.updated_at'),
        updated_by: eb.ref('excluded.updated_by'),
      })),
    )
    .execute()
}

export async function deleteVariables(
  db: Kysely<Tables>,
  environmentId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await db.deleteFrom('variables').where('environment_id', '=', environmentId).where('key', 'in', keys).execute()
}
