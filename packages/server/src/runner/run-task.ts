// Runs one task that this process has leased, and records its final status.
import type { TaskKind } from '@shipway/api/tasks'
import type { Context } from '../context.ts'
import { interruptionOf } from '../domain/tasks/interruption.ts'
import { endTask, interruptTask, LostLease } from '../progress/progress.ts'
import { PlatformStopping } from '../remote/host.ts'
import type { Mask } from '../secrets/mask.ts'
import { releasePorts } from '../store/environments/ports.ts'
import { type Lease, releaseLease } from '../store/tasks/task-queue.ts'
import { findRouting } from '../store/tasks/tasks.ts'
import { findTaskToRun, type TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { runAction } from './action.ts'
import { deploy } from './deploy.ts'
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

type Interrupted = { readonly task: TaskToRun; readonly because: string | undefined; readonly mask: Mask }

/** Ends a task that cannot be resumed after an interruption, with the status that its routes show. */
async function interrupt(ctx: Context, lease: Lease, { task, because, mask }: Interrupted): Promise<void> {
  const { switchedAt, unroutedAt } = await findRouting(ctx.db, lease.taskId)
  const { status, sentence } = interruptionOf({
    kind: task.kind,
    isSwitched: switchedAt !== null,
    isUnrouted: unroutedAt !== null,
    because,
  })
  ctx.log.warn({ task: lease.taskId, status }, 'an interrupted task could not be resumed')
  try {
    await interruptTask(ctx, lease, { status, sentence: mask.text(sentence) }, async (db) => {
      if (status === 'succeeded')
        await releasePorts(db, { environmentId: task.environment.id, serverId: task.server.id })
    })
  } catch (error) {
    if (!(error instanceof LostLease)) throw error
  }
}

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
