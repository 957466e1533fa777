// What became of each moment at which a schedule was due. The primary key holds that a moment is decided once.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

type MomentOutcome = 'started' | 'skipped' | 'missed'

export type Moment = {
  readonly action: string
  readonly dueAt: number
  readonly outcome: MomentOutcome
  /** Why there was no run, or why it was late. */
  readonly reason: string | null
  readonly taskId: number | null
}

type NewMoment = Omit<Moment, 'taskId'> & { readonly environmentId: number }

/** False if the moment was decided before. */
export async function insertMoment(
  tx: Change,
  { environmentId, action, dueAt, outcome, reason }: NewMoment,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('schedule_moments')
    .values({ environment_id: environmentId, action, due_at: dueAt, outcome, reason })
    .onConflict((conflict) => conflict.columns(['environment_id', 'action', 'due_at']).doNothing())
    .returning('due_at')
    .executeTakeFirst()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  return inserted !== undefined
}

export async function updateMomentTask(
  tx: Change,
  {
    environmentId,
    action,
    dueAt,
    taskId,
  }: Pick<NewMoment, 'environmentId' | 'action' | 'dueAt'> & { readonly taskId: number },
): Promise<void> {
  await tx
    .updateTable('schedule_moments')
    .set({ task_id: taskId })
    .where('environment_id', '=', environmentId)
    .where('action', '=', action)
    .where('due_at', '=', dueAt)
    .execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

const SHOWN = 10

/** The newest of each action, newest first. The caller has found the environment. */
export async function listNewestMoments(db: Kysely<Tables>, environmentId: number): Promise<readonly Moment[]> {
  const { rows } = await sql<{
    action: string
    due_at: number
    outcome: MomentOutcome
    reason: string | null
    task_id: number | null
  }>`
    select action, due_at, outcome, reason, task_id from (
      select m.*, row_number() over (partition by action order by due_at desc) as place
      from schedule_moments m where environment_id = ${environmentId}) ranked
    where place <= ${sql.lit(SHOWN)} order by due_at desc`.execute(db)
  return rows.map(({ due_at: dueAt, task_id: taskId, action, outcome, reason }) => ({
    action,
    dueAt,
    outcome,
    reason,
    taskId,
  }))
}

/** Those of actions that are gone. */
export async function deleteMomentsOfOthers(tx: Change, environmentId: number, kept: readonly string[]): Promise<void> {
  let query = tx.deleteFrom('schedule_moments').where('environment_id', '=', environmentId)
  if (kept.length > 0) query = query.where('action', 'not in', kept)
  await query.execute()
}

const KEPT = 100
const DELETED_AT_ONCE = 1_000

/** Deletes old ones in batches; returns whether there may be more. */
export async function deleteOldMoments(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    delete from schedule_moments where (environment_id, action, due_at) in (
      select environment_id, action, due_at from (
        select environment_id, action, due_at,
          row_number() over (partition by environment_id, action order by due_at desc) as place
        from schedule_moments) ranked
      where place > ${sql.lit(KEPT)} limit ${sql.lit(DELETED_AT_ONCE)})
    returning due_at`.execute(db)
  return rows.length === DELETED_AT_ONCE
}
