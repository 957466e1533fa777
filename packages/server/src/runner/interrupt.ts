// Ends a task that cannot be resumed after an interruption, with the status that its routes show.
import type { Context } from '../context.ts'
import { interruptionOf } from '../domain/tasks/interruption.ts'
import { interruptTask, LostLease } from '../progress/progress.ts'
import type { Mask } from '../secrets/mask.ts'
import { releasePorts } from '../store/environments/ports.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import { findRouting } from '../store/tasks/tasks.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'

type Interrupted = { readonly task: TaskToRun; readonly because: string | undefined; readonly mask: Mask }

export async function interrupt(ctx: Context, lease: Lease, { task, because, mask }: Interrupted): Promise<void> {
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
