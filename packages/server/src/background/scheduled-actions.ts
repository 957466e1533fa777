// Runs actions at the moments that their schedules name.
import type { Context } from '../context.ts'
import { startDueActions } from '../operations/schedules/start-due-actions.ts'
import type { ScheduledWork } from './scheduled-work.ts'

export function listActionWork(ctx: Context): readonly ScheduledWork[] {
  return [
    {
      name: 'starting scheduled actions',
      everyMs: 5_000,
      isPausedAfterRestore: true,
      work: (signal) => startDueActions(ctx, signal),
    },
  ]
}
