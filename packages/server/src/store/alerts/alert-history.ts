// Alerts as people see them, and how long they are kept.
import type { AlertSeverity } from '@shipway/api/oversight/alerts'
import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { type StoredAlert, toAlert } from './alerts.ts'

type AlertFilter = {
  readonly state?: 'open' | 'resolved' | undefined
  readonly severity?: AlertSeverity | undefined
  readonly environmentId?: number | undefined
}

/** Newest first. The caller has found the organization. */
export async function listAlertHistory(
  db: Kysely<Tables>,
  organizationId: number,
  { state, severity, environmentId, ...page }: AlertFilter & PageRequest,
): Promise<Page<StoredAlert>> {
  const rows = await db
    .selectFrom('alerts')
    .where('organization_id', '=', organizationId)
    .$if(state !== undefined, (query) => query.where('resolved_at', state === 'open' ? 'is' : 'is not', null))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity ?? 'warning'))
    .$if(environmentId !== undefined, (query) => query.where('environment_id', '=', environmentId ?? 0))
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .selectAll()
    .execute()
  return pageOf(rows.map(toAlert), page)
}

const KEPT = 1_000
const KEPT_MS = 90 * 86_400_000
const DELETED_AT_ONCE = 1_000

/** Deletes old resolved alerts in batches; returns whether there may be more. */
export async function deleteOldAlerts(db: Kysely<Tables>, now: number): Promise<boolean> {
  const { rows } = await sql`
    delete from alerts where id in (
      select id from (
        select id, resolved_at, row_number() over (partition by organization_id order by id desc) as place
        from alerts where resolved_at is not null) ranked
      where place > ${sql.lit(KEPT)} or resolved_at < ${now - KEPT_MS}
      limit ${sql.lit(DELETED_AT_ONCE)})
    returning id`.execute(db)
  return rows.length === DELETED_AT_ONCE
}
