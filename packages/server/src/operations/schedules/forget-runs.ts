// Deletes old runs that schedules started, a batch in each transaction.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { deleteOldScheduledRuns, listScheduledActions } from '../../store/schedules/scheduled-runs.ts'

export async function forgetRuns(ctx: Context, signal: AbortSignal, kept?: number): Promise<void> {
  for (const scheduled of await listScheduledActions(ctx.db)) {
    let isMore = true
    while (isMore && !signal.aborted)
      isMore = await ctx.change(PLATFORM, (tx) => deleteOldScheduledRuns(tx, scheduled, { at: ctx.clock(), kept }))
  }
}
