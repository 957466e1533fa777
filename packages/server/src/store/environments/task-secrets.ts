// Values of variables that tasks received (table handed_values). Never shown: the mask hides them in output.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import type { OwnedVariable } from './variables.ts'

export type TaskSecret = OwnedVariable & { readonly id: number }

export async function listTaskSecrets(db: Kysely<Tables>, environmentId: number): Promise<readonly TaskSecret[]> {
  const rows = await db
    .selectFrom('handed_values')
    .where('environment_id', '=', environmentId)
    .select(['id', 'owner', 'owner_id', 'key', 'value_sealed'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    owner: { kind: row.owner, id: row.owner_id },
    key: row.key,
    valueSealed: row.value_sealed,
  }))
}

type TaskSecretsToStore = {
  readonly environmentId: number
  readonly taskId: number
  /** Those that earlier tasks received, too. */
  readonly again: readonly number[]
  readonly fresh: readonly OwnedVariable[]
}

export async function insertOrUpdateTaskSecrets(tx: Change, secrets: TaskSecretsToStore): Promise<void> {
  const { environmentId, taskId, again, fresh } = secrets
  if (again.length > 0) {
    await sql`update handed_values set last_task_id = ${taskId}
      where id in (${idList(again)}) and last_task_id < ${taskId}`.execute(tx)
  }
  if (fresh.length === 0) return
  await tx
    .insertInto('handed_values')
    .values(
      fresh.map(({ owner, key, valueSealed }) => ({
        environment_id: environmentId,
        owner: owner.kind,
        owner_id: owner.id,
        key,
        value_sealed: valueSealed,
        first_task_id: taskId,
        last_task_id: taskId,
      })),
    )
    .execute()
  await deleteSurplus(tx, { environmentId, taskId })
}

type OwningTask = { readonly environmentId: number; readonly taskId: number }

/**
 * Deletes values that no kept log can contain: a later deployment succeeded, and the service logs of before it have expired. A
 * running action started in what served before and may print its values, so they stay until the next deployment.
 */
export async function deleteReplacedSecrets(
  tx: Change,
  { environmentId, logsSince }: { readonly environmentId: number; readonly logsSince: number },
): Promise<void> {
  const newestBefore = sql`select max(t.id) from tasks t where t.environment_id = ${environmentId}
    and ${whereKind('t', 'isDeployment')} and t.status = 'succeeded' and t.finished_at < ${logsSince}`
  await sql`delete from handed_values where environment_id = ${environmentId} and last_task_id < (${newestBefore})
    and not exists (select 1 from tasks t
      where t.environment_id = ${environmentId} and ${whereKind('t', 'runsInLiveDeployment')} and t.status = 'running')`.execute(
    tx,
  )
}

export async function deleteTaskSecrets(tx: Change, environmentId: number): Promise<void> {
  await tx.deleteFrom('handed_values').where('environment_id', '=', environmentId).execute()
}

/** Limit for values that neither this task nor the live deployment received. */
const MOST = { values: 500, sealedBytes: 2 * 1024 ** 2 }

/**
 * A user may change a value and fail to deploy it any number of times, and the mask contains all kept values. Beyond a limit
 * the oldest are deleted; never those of the newest successful deployment, nor of the newest that routes led to.
 */
async function deleteSurplus(tx: Change, { environmentId, taskId }: OwningTask): Promise<void> {
  const earlier = sql`from tasks t where t.environment_id = ${environmentId} and t.id < ${taskId}
    and ${whereKind('t', 'isDeployment')}`
  await sql`
    delete from handed_values where id in (
      select ranked.id from (
        select h.id, row_number() over newest_first as place, sum(length(h.value_sealed)) over newest_first as bytes
        from handed_values h
        where h.environment_id = ${environmentId} and h.last_task_id < ${taskId}
          and not coalesce((select max(t.id) ${earlier} and t.status = 'succeeded')
            between h.first_task_id and h.last_task_id, false)
          and not coalesce((select max(t.id) ${earlier} and t.switched_at is not null)
            between h.first_task_id and h.last_task_id, false)
        window newest_first as (order by h.last_task_id desc, h.id desc)
      ) ranked where ranked.place > ${MOST.values} or ranked.bytes > ${MOST.sealedBytes})`.execute(tx)
}
