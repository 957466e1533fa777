// Writes the status of tasks. Only this file and `task-queue.ts` write it, and only from a state that may lead to
// the new one.
import type { TaskStatus } from '@shipway/api/tasks'
import type { Insertable } from 'kysely'
import { type EndReason, LEGAL_PREDECESSORS, TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../change.ts'
import { insertDeploymentMessage } from '../channels/deployment-message.ts'
import { insertWebhookEvent } from '../hooks/hook-messages.ts'
import type { Tables } from '../tables/tables.ts'
import { findTaskAnywhere, type Task, type TaskCommit, type TaskRouting } from './tasks.ts'

/** Queues a task. A second one in the queue of the same environment violates `tasks(environment_id)`. */
export async function insertTask(
  tx: Change,
  values: Omit<
    Insertable<Tables['tasks']>,
    | 'id'
    | 'status'
    | 'reason'
    | 'epoch'
    | 'worker'
    | 'lease_until'
    | 'started_at'
    | 'finished_at'
    | 'server_id'
    | 'recipe'
    | 'switched_at'
    | 'unrouted_at'
    | 'output_expired_at'
    | 'keeps_output'
  >,
): Promise<Task> {
  const { id } = await tx
    .insertInto('tasks')
    .values({ ...values, status: 'queued' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const task = await findTaskAnywhere(tx, id)
  if (!task) throw new Error('A task that was just stored is not there')
  tx.notify({ about: 'task', id, how: 'created' })
  notifyOfTasks(tx, task.environmentId)
  return task
}

/** False if the task was not queued any more. */
export function startTask(tx: Change, id: number, at: number): Promise<boolean> {
  return moveTask(tx, id, { status: 'running', started_at: at })
}

/** False if the task had ended already, or would succeed without having run. */
export function finishTask(
  tx: Change,
  id: number,
  { status, reason, at }: { status: 'succeeded' | 'failed' | 'canceled'; reason?: EndReason; at: number },
): Promise<boolean> {
  return moveTask(tx, id, { status, reason: reason ?? null, finished_at: at })
}

/** Ends a queued task; false if a worker has taken it meanwhile. */
export async function dropQueuedTask(
  tx: Change,
  id: number,
  { reason, at }: { reason: Extract<EndReason, 'superseded' | 'protected'>; at: number },
): Promise<boolean> {
  const dropped = await tx
    .updateTable('tasks')
    .set({ status: 'canceled', reason, finished_at: at })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning('environment_id')
    .executeTakeFirst()
  if (dropped) notifyOfMove(tx, id, dropped.environment_id)
  return dropped !== undefined
}

export async function updateCommit(tx: Change, id: number, { sha, message, author }: TaskCommit): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ commit_sha: sha, commit_message: message, commit_author: author })
    .where('id', '=', id)
    .execute()
  tx.notify({ about: 'task', id, how: 'updated' })
}

/** In the transaction that changes the routes. */
export async function updateRouting(tx: Change, id: number, { switchedAt, unroutedAt }: TaskRouting): Promise<void> {
  await tx.updateTable('tasks').set({ switched_at: switchedAt, unrouted_at: unroutedAt }).where('id', '=', id).execute()
  tx.notify({ about: 'task', id, how: 'updated' })
}

type TaskMove = { status: TaskStatus; reason?: EndReason | null; started_at?: number; finished_at?: number }

async function moveTask(tx: Change, id: number, move: TaskMove): Promise<boolean> {
  const moved = await tx
    .updateTable('tasks')
    .set(move)
    .where('id', '=', id)
    .where('status', 'in', LEGAL_PREDECESSORS[move.status])
    .returning(['environment_id', 'kind'])
    .executeTakeFirst()
  if (!moved) return false
  notifyOfMove(tx, id, moved.environment_id)
  if (TASK_KINDS[moved.kind].removesEnvironment) await notifyOfDeletingProject(tx, moved.environment_id)
  else if (TASK_KINDS[moved.kind].isDeployment) await queueOutcomeEvent(tx, id, move, moved.environment_id)
  return true
}

async function queueOutcomeEvent(
  tx: Change,
  taskId: number,
  { status, finished_at: at }: TaskMove,
  environmentId: number,
) {
  if (at === undefined || (status !== 'succeeded' && status !== 'failed')) return
  await insertWebhookEvent(tx, { event: `deployment.${status}`, taskId, environmentId, at })
  await insertDeploymentMessage(tx, { status, taskId, environmentId, at })
}

/** A project in deletion shows why it still exists. */
async function notifyOfDeletingProject(tx: Change, environmentId: number): Promise<void> {
  const environment = tx.selectFrom('environments').where('id', '=', environmentId).select('project_id')
  const { project_id: id } = await environment.executeTakeFirstOrThrow()
  tx.notify({ about: 'project', id, how: 'updated' })
}

/** Workers look for a free slot again, and the status of the environment follows from its tasks. */
function notifyOfMove(tx: Change, id: number, environmentId: number): void {
  tx.notify({ about: 'task', id, how: 'updated' })
  notifyOfTasks(tx, environmentId)
}

function notifyOfTasks(tx: Change, id: number): void {
  tx.notify({ about: 'environment', id, how: 'updated' })
  tx.notify({ about: 'queue' })
}
