// Rows of steps, in the order in which they were planned.
import type { Kysely } from 'kysely'
import type { Step } from '../domain/task.ts'
import type { Tables } from './tables.ts'

/** The steps of several tasks in one query, by the id of their task. */
export async function listSteps(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Step[]>> {
  if (taskIds.length === 0) return new Map()
  const rows = await db.selectFrom('steps').where('task_id', 'in', taskIds).orderBy('id').selectAll().execute()
  const byTask = new Map<number, Step[]>(taskIds.map((id) => [id, []]))
  for (const row of rows) {
    byTask.get(row.task_id)?.push({
      phase: row.phase,
      name: row.name,
      status: row.status,
      kind: row.kind,
      exitCode: row.exit_code,
      message: row.message,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
    })
  }
  return byTask
}
