// Runs one task that this process has leased, and records its final status.
import type { TaskKind } from '@shipway/api/tasks'
import type { Context } from '../context.ts'
import { endTask, LostLease } from '../progress/progress.ts'
import { PlatformStopping } from '../remote/host.ts'
import { type Lease, releaseLease } from '../store/tasks/task-queue.ts'
import { findTaskToRun } from '../store/tasks/tasks-to-run.ts'
import { runAction } from './action.ts'
import { deploy } from './deploy.ts'
import { interrupt } from './interrupt.ts'
import { maskError } from './mask-error.ts'
import { runOneOff } from './one-off.ts'
import { openSecrets, refuseUnreadable } from './open-secrets.ts'
import { remove } from './remove.ts'
import { reset } from './reset.ts'
import type { StopReason } from './run-stop.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'
import { CannotResume, StepEnded, TaskRun } from './task-run.ts'

export async function runTask(
  ctx: Context,
  dependencies: RunnerDependencies,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  const task = await findTaskToRun(ctx.db, lease.taskId)
  if (!task) return
  const host = dependencies.hosts.of(task.server)
  const secrets = await openSecrets(ctx, task)
  const run = new TaskRun(ctx, lease, { kind: task.kind, host, signal, mask: secrets.mask })
  try {
    await refuseUnreadable(run, secrets)
    await PROGRAMS[task.kind](ctx, dependencies, { task, run, lease, secrets })
  } catch (error) {
    if (error instanceof CannotResume) {
      await run.recordEnd()
      return interrupt(ctx, lease, { task, because: error.because, mask: secrets.mask })
    }
    // Even if canceled, the next process continues: this one can no longer end what runs on the server.
    if (error instanceof PlatformStopping) return releaseLease(ctx.db, lease)
    const masked = error instanceof StepEnded || error instanceof LostLease ? error : maskError(error, secrets.mask)
    await recordOutcome(ctx, lease, { stopped: signal.aborted ? signal.reason : undefined, error: masked, run })
  }
}

/** Exhaustive by its type: a new kind of task does not compile without a program. */
const PROGRAMS: Readonly<Record<TaskKind, typeof deploy>> = { deploy, remove, reset, action: runAction, run: runOneOff }

type Stop = { readonly stopped: StopReason | undefined; readonly error: unknown; readonly run: TaskRun }

async function recordOutcome(ctx: Context, lease: Lease, { stopped, error, run }: Stop): Promise<void> {
  if (error instanceof LostLease || stopped === 'lost') return
  if (stopped === 'stopping') return releaseLease(ctx.db, lease)
  if (!(error instanceof StepEnded)) {
    ctx.log.error({ err: error, task: lease.taskId }, 'a task failed outside its steps')
    // The new release may serve already: the worker that takes over finds out and records the end.
    if (run.isCommitted) return
  }
  const { status, reason } =
    error instanceof StepEnded ? error : { status: 'failed' as const, reason: 'interrupted' as const }
  try {
    await run.recordEnd()
    await endTask(ctx, lease, { status, ...(reason && { reason }) })
  } catch (lost) {
    if (!(lost instanceof LostLease)) throw lost
  }
}
