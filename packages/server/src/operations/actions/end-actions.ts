// Ends the actions and one-off commands of an environment, because the environment is about to be cleared.
import type { Context } from '../../context.ts'
import { listActiveActions } from '../../store/actions/environment-actions.ts'
import type { Change } from '../../store/change.ts'
import { updateCancelRequested } from '../../store/tasks/task-queue.ts'
import { finishTask } from '../../store/tasks/task-states.ts'

/** Queued runs end at once, running ones are asked to stop. A removal or reset begins when all have ended. */
export async function endActions(ctx: Context, tx: Change, environmentId: number): Promise<void> {
  const at = ctx.clock()
  for (const { id } of await listActiveActions(tx, environmentId)) {
    const asked = await updateCancelRequested(tx, id, at)
    if (asked === 'queued') await finishTask(tx, id, { status: 'canceled', reason: 'canceled_by_user', at })
  }
}
