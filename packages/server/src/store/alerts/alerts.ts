// Rows of alerts: opened and resolved in the transaction of the messages about it. A unique index holds that an alert is open once.
import type { AlertRule, AlertSeverity } from '@shipway/api/oversight/alerts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Change } from '../change.ts'
import { lockEnvironment } from '../environments/environments.ts'
import { lockOrganization } from '../people/organizations.ts'
import { isLockedOut } from '../people/two-factor.ts'
import type { Tables } from '../tables/tables.ts'

/** What identifies an alert while it is open. */
export type AlertKey = {
  readonly rule: AlertRule
  /** Of the server, certificate, environment or organization; 0 for the whole platform. */
  readonly targetId: number
  /** A service or a scheduled action of the environment; empty for everything else. */
  readonly service: string
}

export type NewAlert = AlertKey & {
  /** Null: for platform administrators. */
  readonly organizationId: number | null
  readonly environmentId: number | null
  readonly severity: AlertSeverity
  readonly subject: string
  readonly message: string
  readonly page: string
  readonly isNotified: boolean
  readonly openedAt: number
}

/**
 * Undefined if the alert is open already, since of several processes one sends the messages; or if what it is about was deleted since the
 * rule has found it.
 */
export async function insertAlert(tx: Change, alert: NewAlert): Promise<number | undefined> {
  if (!(await isThere(tx, alert))) return undefined
  const inserted = await tx
    .insertInto('alerts')
    .values({
      rule: alert.rule,
      target_id: alert.targetId,
      service: alert.service,
      organization_id: alert.organizationId,
      environment_id: alert.environmentId,
      severity: alert.severity,
      subject: alert.subject,
      message: alert.message,
      page: alert.page,
      is_notified: alert.isNotified ? 1 : 0,
      opened_at: alert.openedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['rule', 'target_id', 'service']).where('resolved_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (inserted) notifyOfAlert(tx, alert.organizationId)
  return inserted?.id
}

/** Locked, it stays until the alert is written. */
async function isThere(tx: Change, { environmentId, organizationId }: NewAlert): Promise<boolean> {
  if (environmentId !== null) {
    await lockEnvironment(tx, environmentId)
    const query = tx.selectFrom('environments').where('id', '=', environmentId).where('removed_at', 'is', null)
    return (await query.select('id').executeTakeFirst()) !== undefined
  }
  if (organizationId === null) return true
  await lockOrganization(tx, organizationId)
  const query = tx.selectFrom('organizations').where('id', '=', organizationId)
  return (await query.select('id').executeTakeFirst()) !== undefined
}

export type StoredAlert = NewAlert & { readonly id: number; readonly resolvedAt: number | null }

/** False if another process has resolved it. */
export async function resolveAlert(tx: Change, { id, organizationId }: StoredAlert, at: number): Promise<boolean> {
  const resolved = await tx
    .updateTable('alerts')
    .set({ resolved_at: at })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('id')
    .execute()
  if (resolved.length === 1) notifyOfAlert(tx, organizationId)
  return resolved.length === 1
}

/** False if another process notifies the channels. */
export async function updateAlertNotified(tx: Change, { id, organizationId }: StoredAlert): Promise<boolean> {
  const notified = await tx
    .updateTable('alerts')
    .set({ is_notified: 1 })
    .where('id', '=', id)
    .where('is_notified', '=', 0)
    .where('resolved_at', 'is', null)
    .returning('id')
    .execute()
  if (notified.length === 1) notifyOfAlert(tx, organizationId)
  return notified.length === 1
}

export async function listOpenAlerts(db: Kysely<Tables>): Promise<readonly StoredAlert[]> {
  const rows = await db.selectFrom('alerts').where('resolved_at', 'is', null).selectAll().execute()
  return rows.map(toAlert)
}

/**
 * Owners and administrators of the organization who have access to it; or those of the platform, whose alerts say nothing of an organization.
 * In one order, since each is counted.
 */
export async function listAlertReceivers(
  db: Kysely<Tables>,
  organizationId: number | null,
): Promise<readonly string[]> {
  const query =
    organizationId === null
      ? db.selectFrom('users as u').where('u.is_platform_admin', '=', 1)
      : db
          .selectFrom('users as u')
          .innerJoin('memberships as m', 'm.user_id', 'u.id')
          .innerJoin('organizations as o', 'o.id', 'm.organization_id')
          .where('m.organization_id', '=', organizationId)
          .where(isLockedOut, '=', 0)
          .where('m.role', 'in', ['owner', 'admin'])
  const rows = await query.select('u.email').orderBy('u.id').execute()
  return rows.map(({ email }) => email)
}

/** The platform's own troubles concern organizations that a platform administrator runs. */
export async function listPlatformOrganizations(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct m.organization_id as id from memberships m join users u on u.id = m.user_id
    where u.is_platform_admin = 1 and m.role in ('owner', 'admin') order by id`.execute(db)
  return rows.map(({ id }) => id)
}

function notifyOfAlert(tx: Change, organizationId: number | null): void {
  if (organizationId !== null) tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}

export const toAlert = (row: Selectable<Tables['alerts']>): StoredAlert => ({
  id: row.id,
  rule: row.rule,
  targetId: row.target_id,
  service: row.service,
  organizationId: row.organization_id,
  environmentId: row.environment_id,
  severity: row.severity,
  subject: row.subject,
  message: row.message,
  page: row.page,
  isNotified: row.is_notified === 1,
  openedAt: row.opened_at,
  resolvedAt: row.resolved_at,
})
