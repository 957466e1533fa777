// Rows of alerts: the open ones. Inserted and deleted in the transaction of their mails.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

type AlertKind = Selectable<Tables['alerts']>['kind']
export type OpenAlert = { readonly kind: AlertKind; readonly targetId: number; readonly organizationId: number | null }

/** False if the alert is open already: of several processes, one sends the mails. */
export async function insertAlert(tx: Change, alert: OpenAlert, since: number): Promise<boolean> {
  const values = { kind: alert.kind, target_id: alert.targetId, organization_id: alert.organizationId, since }
  const inserted = await tx
    .insertInto('alerts')
    .values(values)
    .onConflict((conflict) => conflict.columns(['kind', 'target_id']).doNothing())
    .returning('kind')
    .execute()
  return inserted.length === 1
}

/** False if another process has ended it. */
export async function deleteAlert(
  tx: Change,
  { kind, targetId }: Pick<OpenAlert, 'kind' | 'targetId'>,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('alerts')
    .where('kind', '=', kind)
    .where('target_id', '=', targetId)
    .returning('kind')
    .execute()
  return deleted.length === 1
}

export async function listAlerts(db: Kysely<Tables>): Promise<readonly OpenAlert[]> {
  const rows = await db.selectFrom('alerts').selectAll().execute()
  return rows.map((row) => ({ kind: row.kind, targetId: row.target_id, organizationId: row.organization_id }))
}

/** Owners and administrators of the organization, or of the platform. In one order, since each is counted. */
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
          .where('m.organization_id', '=', organizationId)
          .where('m.role', 'in', ['owner', 'admin'])
  const rows = await query.select('u.email').orderBy('u.id').execute()
  return rows.map(({ email }) => email)
}

export type WatchedCertificate = {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly project: string
  readonly domain: string | null
  readonly notBefore: number
  readonly notAfter: number
}

/** Those that end by then, and those with an open alert. */
export async function listEndingCertificates(
  db: Kysely<Tables>,
  endsBefore: number,
): Promise<readonly WatchedCertificate[]> {
  const { rows } = await sql<{
    id: number
    organization_id: number
    project_id: number
    project: string
    domain: string | null
    not_before: number
    not_after: number
  }>`
    select c.id, p.organization_id, p.id as project_id, p.name as project, c.domain, c.not_before, c.not_after
    from certificates c join projects p on p.id = c.project_id
    where c.not_after is not null and c.not_before is not null and (c.not_after <= ${endsBefore}
      or c.id in (select target_id from alerts where kind = 'certificate_ending'))`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    project: row.project,
    domain: row.domain,
    notBefore: row.not_before,
    notAfter: row.not_after,
  }))
}
