// Rows of hooks, visible only through the caller's organizations. Sealed values stay in the row.
import { HookEvent } from '@shipway/api/hooks'
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type Hook = {
  readonly id: number
  readonly projectId: number
  readonly organizationId: number
  readonly url: string
  readonly events: readonly HookEvent[]
  /** Secrets are sealed to it. */
  readonly sealId: string
  readonly isEnabled: boolean
  readonly disabledReason: 'failing' | 'gone' | null
  readonly failingSince: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

export async function findHook(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Hook | undefined> {
  const row = await selectHooks(db)
    .where('h.id', '=', id)
    .where('p.organization_id', 'in', organizationsOf(actor))
    .executeTakeFirst()
  return row && toHook(row)
}

/** Newest first. The caller has found the project. */
export async function listHooks(db: Kysely<Tables>, projectId: number): Promise<readonly Hook[]> {
  const rows = await selectHooks(db).where('h.project_id', '=', projectId).orderBy('h.id', 'desc').execute()
  return rows.map(toHook)
}

export async function insertHook(tx: Change, values: Insertable<Tables['hooks']>): Promise<number> {
  const { id } = await tx.insertInto('hooks').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateHook(tx: Change, id: number, values: Updateable<Tables['hooks']>): Promise<void> {
  await tx.updateTable('hooks').set(values).where('id', '=', id).execute()
}

/** The secret in use becomes the earlier one. Its sealed text moves as it is, so it still opens as the first column's. */
export async function updateHookSecret(
  tx: Change,
  id: number,
  { sealed, earlierUntil, at }: { readonly sealed: string; readonly earlierUntil: number; readonly at: number },
): Promise<void> {
  await tx
    .updateTable('hooks')
    .set((eb) => ({
      earlier_secret_sealed: eb.ref('secret_sealed'),
      earlier_until: earlierUntil,
      secret_sealed: sealed,
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteHook(tx: Change, id: number): Promise<void> {
  await tx.deleteFrom('hooks').where('id', '=', id).execute()
}

const selectHooks = (db: Kysely<Tables>) =>
  db
    .selectFrom('hooks as h')
    .innerJoin('projects as p', 'p.id', 'h.project_id')
    .selectAll('h')
    .select('organization_id')

function toHook(row: Selectable<Tables['hooks']> & { readonly organization_id: number }): Hook {
  return {
    id: row.id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    url: row.url,
    events: readEvents(row.events),
    sealId: row.seal_id,
    isEnabled: row.is_enabled === 1,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const readEvents = (text: string): readonly HookEvent[] => HookEvent.array().parse(JSON.parse(text))
