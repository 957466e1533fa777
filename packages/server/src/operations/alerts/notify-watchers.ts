// Mails the watchers of an environment when a deployment fails, and when one succeeds after that.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { failedStepOf } from '../../domain/tasks/task.ts'
import { deploymentEndedMail } from '../../mail/deployment-ended.ts'
import { type DueWatch, listDueWatches, updateWatchNotified } from '../../store/alerts/watches.ts'
import type { Change } from '../../store/change.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import { allowMail } from '../people/allow-mail.ts'

const AT_ONCE = 100

export async function notifyWatchers(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await listDueWatches(ctx.db, AT_ONCE)
    for (const watch of due) await ctx.change(PLATFORM, (tx) => notifyWatcher(ctx, tx, watch))
    if (due.length < AT_ONCE) return
  }
}

/** Recorded in the transaction of the mail, so that only one process sends it, and once. */
async function notifyWatcher(ctx: Context, tx: Change, due: DueWatch): Promise<void> {
  if (!(await updateWatchNotified(tx, due)) || !(due.hasFailed || due.wasFailing)) return
  const steps = (await listSteps(tx, [due.taskId])).get(due.taskId) ?? []
  const failed = failedStepOf(steps)
  const mail = await allowMail(ctx, tx, { kind: 'deployment', to: due.email })
  await mail?.queue(
    deploymentEndedMail({
      to: due.email,
      hasFailed: due.hasFailed,
      environment: due.environment,
      project: due.project,
      failedStep: failed ? { name: failed.name, message: failed.message } : null,
      link: `${ctx.config.baseUrl}/environments/${due.environmentId}/tasks/${due.taskId}`,
    }),
  )
}
