// Limits the runs that schedules started: one that runs every minute adds half a million tasks a year, which no user asked for.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

type Scheduled = { readonly environmentId: number; readonly action: string }

export const listScheduledActions = (db: Kysely<Tables>): Promise<readonly Scheduled[]> =>
  db.selectFrom('schedule_moments').select(['environment_id as environmentId', 'action']).distinct().execute()

/** Of each action of an environment. */
const KEPT_RUNS = 1000
const DELETED_AT_ONCE = 50

/** Deletes some old ones with their steps and output; returns whether there may be more. Runs with files to download stay. */
export async function deleteOldScheduledRuns(
  tx: Change,
  { environmentId, action }: Scheduled,
  { at, kept = KEPT_RUNS }: { readonly at: number; readonly kept?: number | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    delete from tasks where id in (
      select id from tasks
      where environment_id = ${environmentId} and action = ${action} and ${whereKind('tasks', 'runsNamedAction')} and cause = 'system'
        and status in ('succeeded', 'failed', 'canceled')
        and not exists (select 1 from artifacts where artifacts.task_id = tasks.id and expires_at > ${at})
      order by id desc limit ${DELETED_AT_ONCE} offset ${kept})
    returning id`.execute(tx)
  if (rows.length > 0) tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  return rows.length === DELETED_AT_ONCE
}
