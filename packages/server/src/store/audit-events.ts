// Rows of audit_events: written in the transaction of the change that they record, never updated.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangedBy, Origin } from '../domain/people/actor.ts'
import { type Page, type PageRequest, pageOf } from './page.ts'
import type { Tables } from './tables/tables.ts'

export type AuditEvent = {
  readonly id: number
  readonly at: number
  readonly actor: { readonly id: number; readonly name: string } | null
  readonly action: string
  readonly target: { readonly kind: string; readonly id: number | null; readonly name: string }
  readonly fields: readonly string[]
  readonly address: string | null
  readonly requestId: string | null
}

export type AuditEntry = {
  /** Undefined at set-up and at a failed sign-in, when no user is signed in; events of git hosts have no user. */
  readonly actor: Omit<ChangedBy, 'origin'> | undefined
  readonly origin: Origin
  readonly organizationId: number | null
  /** `server.created` and the like. */
  readonly action: string
  readonly target: { readonly kind: string; readonly id: number | null; readonly name: string }
  /** Names of the changed fields, never their values. */
  readonly fields?: readonly string[]
  readonly at: number
}

export async function insertAuditEvent(db: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      organization_id: entry.organizationId,
      user_id: entry.actor?.userId ?? null,
      user_name: entry.actor?.name ?? null,
      action: entry.action,
      target_kind: entry.target.kind,
      target_id: entry.target.id,
      target_name: entry.target.name,
      fields: JSON.stringify(entry.fields ?? []),
      address: entry.origin.address,
      request_id: entry.origin.requestId,
      created_at: entry.at,
    })
    .execute()
}

export type AuditFilter = {
  readonly userId?: number | undefined
  /** The whole action, or its first word. */
  readonly action?: string | undefined
  readonly targetKind?: string | undefined
  readonly targetId?: number | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type AuditQuery = { readonly organizationId: number; readonly filter: AuditFilter; readonly page: PageRequest }

export async function listAuditEvents(
  db: Kysely<Tables>,
  { organizationId, filter, page }: AuditQuery,
): Promise<Page<AuditEvent>> {
  const { userId, action, targetKind, targetId, since, until } = filter
  let query = db.selectFrom('audit_events').where('organization_id', '=', organizationId)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (action?.includes('.')) query = query.where('action', '=', action)
  else if (action !== undefined) query = query.where(sql`substr(action, 1, ${action.length + 1})`, '=', `${action}.`)
  if (targetKind !== undefined) query = query.where('target_kind', '=', targetKind)
  if (targetId !== undefined) query = query.where('target_id', '=', targetId)
  if (since !== undefined) query = query.where('created_at', '>=', since)
  if (until !== undefined) query = query.where('created_at', '<', until)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .selectAll()
    .execute()
  return pageOf(rows.map(toEvent), page)
}

const toEvent = (row: Selectable<Tables['audit_events']>): AuditEvent => ({
  id: row.id,
  at: row.created_at,
  actor: row.user_id !== null ? { id: row.user_id, name: row.user_name ?? '' } : null,
  action: row.action,
  target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
  fields: JSON.parse(row.fields),
  address: row.address,
  requestId: row.request_id,
})
