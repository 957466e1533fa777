// Runs one task that this process has the lease of, to its one true end.
import type { Context } from '../context.ts'
import { endTask, LostLease } from '../progress/progress.ts'
import { type Lease, releaseLease } from '../store/task-queue.ts'
import { findTaskToRun, type TaskToRun } from '../store/tasks-to-run.ts'
import { deploy } from './deploy.ts'
import type { Parts } from './parts.ts'
import { remove } from './remove.ts'
import { StepEnded, type StopReason, TaskRun } from './task-run.ts'

export async function runTask(ctx: Context, parts: Parts, lease: Lease, signal: AbortSignal): Promise<void> {
  const task = await findTaskToRun(ctx.db, lease.taskId)
  if (!task) return
  const host = parts.hosts.of(task.server)
  const run = new TaskRun(ctx, lease, { host, signal })
  try {
    await programOf(task)(ctx, parts, { task, run, lease })
  } catch (error) {
    await settle(ctx, lease, signal, error)
  }
}

function programOf(task: TaskToRun): typeof deploy {
  return task.kind === 'remove' ? remove : deploy
}

async function settle(ctx: Context, lease: Lease, signal: AbortSignal, error: unknown): Promise<void> {
  const stopped: StopReason | undefined = signal.aborted ? signal.reason : undefined
  if (error instanceof LostLease || stopped === 'lost') return
  if (stopped === 'stopping') return releaseLease(ctx.db, lease)
  if (!(error instanceof StepEnded))
    ctx.log.error({ err: error, task: lease.taskId }, 'a task failed outside its steps')
  const { status, reason } =
    error instanceof StepEnded ? error : { status: 'failed' as const, reason: 'interrupted' as const }
  try {
    await endTask(ctx, lease, { status, ...(reason && { reason }) })
  } catch (lost) {
    if (!(lost instanceof LostLease)) throw lost
  }
}
