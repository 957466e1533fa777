// Limits of audit_events: a user who writes rows in a loop must neither fill the disk nor displace the rows of others.
import { type Kysely, sql } from 'kysely'
import { type AuditEntry, insertAuditEvent } from './audit-events.ts'
import type { Tables } from './tables/tables.ts'

const REFUSALS_MS = 60 * 60_000
const MOST_REFUSALS = 60
/** A user's own oldest rows go first, then the organization's. */
const KEPT_OF_USER = 50_000
const KEPT_OF_ORGANIZATION = 200_000
/** Of runs that schedules started, which no user writes. */
const KEPT_OF_SCHEDULES = 10_000
const DELETED_AT_ONCE = 500

/** One identical event an hour, and this many for each user and action, so that one action never hides another. */
export async function insertRefusal(db: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  const { organizationId, action, target, actor, at } = entry
  const { rows } = await sql<{ refusals: number; same: number }>`
    select count(*) as refusals, coalesce(sum(case when organization_id = ${organizationId}
      and target_kind = ${target.kind} and coalesce(target_id, 0) = ${target.id ?? 0} and target_name = ${target.name}
      then 1 else 0 end), 0) as same
    from audit_events where user_id = ${actor?.userId ?? 0} and created_at > ${at - REFUSALS_MS}
      and action = ${action}`.execute(db)
  const [{ refusals, same } = { refusals: 0, same: 0 }] = rows
  if (Number(same) === 0 && Number(refusals) < MOST_REFUSALS) await insertAuditEvent(db, entry)
}

type Bounds = { readonly ofUser: number; readonly ofOrganization: number; readonly ofSchedules?: number }

/** Deletes some rows beyond the limits; false if none is left to delete. */
export async function deleteOldAuditEvents(
  db: Kysely<Tables>,
  { ofUser, ofOrganization, ofSchedules = KEPT_OF_SCHEDULES }: Bounds = {
    ofUser: KEPT_OF_USER,
    ofOrganization: KEPT_OF_ORGANIZATION,
  },
): Promise<boolean> {
  let isMore = false
  const users = await db.selectFrom('users').select('id').execute()
  for (const { id } of users) isMore = (await deleteBeyond(db, { column: 'user_id', id, kept: ofUser })) || isMore
  const organizations = [...(await db.selectFrom('organizations').select('id').execute()), { id: null }]
  for (const { id } of organizations) {
    isMore = (await deleteBeyond(db, { column: 'organization_id', id, kept: ofOrganization })) || isMore
    if (id !== null) isMore = (await deleteScheduled(db, id, ofSchedules)) || isMore
  }
  return isMore
}

/** A schedule that runs every minute must not displace what users did. */
async function deleteScheduled(db: Kysely<Tables>, organizationId: number, kept: number): Promise<boolean> {
  const { rows } = await sql`
    delete from audit_events where id in (
      select id from audit_events where organization_id = ${organizationId} and action = 'action.scheduled'
      order by id desc limit ${DELETED_AT_ONCE} offset ${kept})
    returning id`.execute(db)
  return rows.length > 0
}

type Group = { readonly column: 'user_id' | 'organization_id'; readonly id: number | null; readonly kept: number }

/** Reads the index of the group alone: of a small one next to nothing. */
async function deleteBeyond(db: Kysely<Tables>, { column, id, kept }: Group): Promise<boolean> {
  const order = sql.raw(column === 'user_id' ? 'created_at' : 'id')
  const own = id === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`
  const { rows } = await sql`
    delete from audit_events where id in (
      select id from audit_events where ${own} order by ${order} desc limit ${DELETED_AT_ONCE} offset ${kept})
    returning id`.execute(db)
  return rows.length > 0
}
