// The deployment that an action runs in.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { LIVE_ID } from '../tasks/task-facts.ts'

/** On that server: the newest that succeeded, or a later one that visitors are led to already. Null where nothing serves there. */
export async function findServing(
  db: Kysely<Tables>,
  { environmentId, serverId }: { readonly environmentId: number; readonly serverId: number },
): Promise<{ readonly taskId: number; readonly branch: string | null } | undefined> {
  const { rows } = await sql<{ id: number; branch: string | null }>`
    select t.id, t.branch from environments e join tasks t on t.environment_id = e.id
    where e.id = ${environmentId} and t.server_id = ${serverId} and (t.id = ${LIVE_ID} or t.id in (
      select r.task_id from routes r join domains d on d.domain = r.domain where d.environment_id = e.id))
    order by t.id desc limit 1`.execute(db)
  return rows[0] && { taskId: rows[0].id, branch: rows[0].branch }
}
