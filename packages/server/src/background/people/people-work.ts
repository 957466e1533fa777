// Notifies people of what they watch, and of alerts.
import type { Context } from '../../context.ts'
import { compareAlerts } from '../../operations/alerts/compare-alerts.ts'
import { notifyWatchers } from '../../operations/alerts/notify-watchers.ts'
import type { ScheduledWork } from '../scheduled-work.ts'

export function listPeopleWork(ctx: Context): readonly ScheduledWork[] {
  return [
    {
      name: 'notifying watchers',
      everyMs: 5_000,
      isWokenBy: ({ about }) => about === 'queue',
      work: (signal) => notifyWatchers(ctx, signal),
    },
    { name: 'comparing alerts', everyMs: 30_000, work: () => compareAlerts(ctx) },
  ]
}
