// Rows of steps, in the order of their task's program.
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import type { Step } from '../../domain/tasks/task.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

/** With its place in the program of its task. */
export type PlacedStep = Step & { readonly position: number }

/** The steps of several tasks in one query, by the id of their task. */
export async function listSteps(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PlacedStep[]>> {
  if (taskIds.length === 0) return new Map()
  const rows = await db.selectFrom('steps').where('task_id', 'in', taskIds).orderBy('id').selectAll().execute()
  const byTask = new Map<number, PlacedStep[]>(taskIds.map((id) => [id, []]))
  for (const row of rows) {
    byTask.get(row.task_id)?.push({
      position: row.position,
      phase: row.phase,
      name: row.name,
      status: row.status,
      kind: row.kind,
      exitCode: row.exit_code,
      message: row.message,
      output: row.output_from === null ? null : { from: row.output_from, to: row.output_to },
      startedAt: row.started_at,
      finishedAt: row.finished_at,
    })
  }
  return byTask
}

/** The phase that each of the tasks is in, or has failed in, by the id of the task: of the others there is none. */
export async function listPhasesOfTasks(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; phase: string | null }>`
    select t.id, case t.status
      when 'running' then (select s.phase from steps s where s.task_id = t.id order by s.id desc limit 1)
      when 'failed' then (select s.phase from steps s where s.task_id = t.id and s.status = 'failed' order by s.id limit 1)
      end as phase
    from tasks t where t.id in (${idList(taskIds)})`.execute(db)
  return new Map(rows.flatMap(({ id, phase }) => (phase === null ? [] : [[id, phase]])))
}

/** The stored result of a step, for a program that runs again. */
export type StepRecord = Pick<Step, 'status' | 'phase' | 'name'> & {
  /** Which step of the program it was; null in rows that are older than keys. */
  readonly key: string | null
  readonly result: string | null
  /** How much of its output on the server was read. */
  readonly readBytes: number
}

/** By position. Only who has the lease of the task changes them. */
export async function listStepRecords(db: Kysely<Tables>, taskId: number): Promise<ReadonlyMap<number, StepRecord>> {
  const rows = await db
    .selectFrom('steps')
    .where('task_id', '=', taskId)
    .select(['status', 'phase', 'name', 'key', 'position', 'result', 'read_bytes'])
    .execute()
  return new Map(rows.map(({ position, read_bytes: readBytes, ...rest }) => [position, { ...rest, readBytes }]))
}

export async function insertStep(
  tx: Change,
  values: Insertable<Tables['steps']> & { position: number },
): Promise<void> {
  await tx.insertInto('steps').values(values).execute()
  tx.notify({ about: 'step', id: values.task_id, position: values.position, how: 'created' })
}

export async function updateStep(
  tx: Change,
  { taskId, position }: { readonly taskId: number; readonly position: number },
  values: Updateable<Tables['steps']>,
): Promise<void> {
  await tx.updateTable('steps').set(values).where('task_id', '=', taskId).where('position', '=', position).execute()
  tx.notify({ about: 'step', id: taskId, position, how: 'updated' })
}

/** How far its output on the server was read. No event: pages follow the output itself. */
export async function updateReadBytes(
  tx: Change,
  { taskId, position }: { readonly taskId: number; readonly position: number },
  readBytes: number,
): Promise<void> {
  await tx
    .updateTable('steps')
    .set({ read_bytes: readBytes })
    .where('task_id', '=', taskId)
    .where('position', '=', position)
    .execute()
}

/** Of the program that the task has run so far. */
export async function findLastStep(
  db: Kysely<Tables>,
  taskId: number,
): Promise<{ readonly phase: string; readonly position: number } | undefined> {
  return db
    .selectFrom('steps')
    .where('task_id', '=', taskId)
    .orderBy('position', 'desc')
    .limit(1)
    .select(['phase', 'position'])
    .executeTakeFirst()
}

type StepsCut = { readonly status: 'canceled' | 'skipped'; readonly at: number; readonly outputTo: number }

/** For a task that ends while steps run: they will not be resumed. */
export async function endRunningSteps(tx: Change, taskId: number, { status, at, outputTo }: StepsCut): Promise<void> {
  const ended = await tx
    .updateTable('steps')
    .set({ status, finished_at: at, output_to: outputTo })
    .where('task_id', '=', taskId)
    .where('status', '=', 'running')
    .returning('position')
    .execute()
  for (const { position } of ended) tx.notify({ about: 'step', id: taskId, position, how: 'updated' })
}
