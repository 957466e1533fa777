// Removes the output of tasks that ended long ago: marks the tasks, then deletes the rows in batches, then marks the tasks as done.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

const TASKS_AT_ONCE = 20
/** A row has at most 256 KiB. The embedded database answers nothing else while it deletes. */
const ROWS_AT_ONCE = 32

/** Some tasks that ended before this time and whose output was not removed yet, the oldest first. */
export async function listTasksWithOldOutput(db: Kysely<Tables>, endedBefore: number): Promise<readonly number[]> {
  // Literals, so that SQLite sees that the condition implies the one of the index.
  const { rows } = await sql<{ readonly id: number }>`
    select id from tasks where keeps_output = 1 and finished_at is not null and finished_at < ${endedBefore}
    order by finished_at limit ${sql.lit(TASKS_AT_ONCE)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** From now on readers see that the output was removed. */
export async function markOutputExpired(tx: Change, taskIds: readonly number[], at: number): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ output_expired_at: at })
    .where(sql<boolean>`id in (${idList(taskIds)})`)
    .where('output_expired_at', 'is', null)
    .execute()
  for (const id of taskIds) tx.notify({ about: 'task', id, how: 'updated' })
}

/**
 * Deletes some rows of a task's output; false if none is left. The last ones first: a request that is being answered gets the right bytes
 * and then an error, never the bytes of another offset.
 */
export async function deleteSomeOutput(tx: Change, taskId: number): Promise<boolean> {
  const { rows } = await sql`
    delete from outputs where task_id = ${taskId} and output_from >= (
      select min(output_from) from (
        select output_from from outputs where task_id = ${taskId} order by output_from desc limit ${sql.lit(ROWS_AT_ONCE)}
      ) newest)
    returning output_from`.execute(tx)
  return rows.length === ROWS_AT_ONCE
}

export async function markOutputDeleted(tx: Change, taskIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ keeps_output: 0 })
    .where(sql<boolean>`id in (${idList(taskIds)})`)
    .execute()
}
