// Runs actions at the moments that their schedules name.
import type { Context } from '../context.ts'
import type { Pass } from '../domain/schedules/plan-moments.ts'
import { startDueActions } from '../operations/schedules/start-due-actions.ts'
import type { ScheduledWork } from './scheduled-work.ts'

export function listActionWork(ctx: Context): readonly ScheduledWork[] {
  let last: Pass | undefined
  return [
    {
      name: 'starting scheduled actions',
      everyMs: 5_000,
      isPausedAfterRestore: true,
      work: async (signal) => {
        last = await startDueActions(ctx, { last, signal })
      },
    },
  ]
}
