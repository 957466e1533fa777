// Candidates for expiry. The caller checks each again under its lock before removing it.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import { findRemoval } from './removed-environments.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type ExpiredEnvironment = { readonly environmentId: number; readonly projectId: number }

/** The rule is `domain/expiry.ts`; this finds the few that it may hold for. */
export async function listExpiredEnvironments(
  db: Kysely<Tables>,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly ExpiredEnvironment[]> {
  // The file of the default branch wins over the setting.
  const hours = sql`coalesce(p.file_expire_after_hours, p.expire_after_hours)`
  const lifetime = sql`${hours} * cast(${sql.lit(HOUR_MS)} as bigint)`
  const { rows } = await sql<{ id: number; project_id: number }>`
    select e.id, e.project_id from environments e join projects p on p.id = e.project_id
    where p.deleting_since is null and e.removed_at is null and ((e.upload_expires_at <= ${now}
      and not exists (select 1 from tasks t where t.environment_id = e.id and ${whereKind('t', 'locksEnvironment')}
        and (t.finished_at is null or t.finished_at > ${now - HOUR_MS})))
      or (${hours} is not null and p.expire_changed_at <= ${now - DAY_MS}
      and e.type = 'pull_request' and e.is_sticky = 0 and e.is_protected = 0
      and e.created_at <= ${now} - ${lifetime} and coalesce(e.extended_at, 0) <= ${now} - ${lifetime}
      and e.updated_at <= ${now} - (case when ${hours} < 24 then ${lifetime} else ${sql.lit(DAY_MS)} end)
      and not exists (select 1 from tasks t where t.environment_id = e.id and ${whereKind('t', 'locksEnvironment')}
        and (t.finished_at is null or t.finished_at > ${now} - ${lifetime}))))
    order by e.id limit ${sql.lit(most)}`.execute(db)
  return rows.map((row) => ({ environmentId: row.id, projectId: row.project_id }))
}

/** Whether the environment is removed, or being removed, because it expired. */
export async function hasExpired(db: Kysely<Tables>, environmentId: number): Promise<boolean> {
  return (await findRemoval(db, environmentId))?.isExpiry === true
}
