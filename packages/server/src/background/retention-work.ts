// Deletes records whose retention is over.
import type { Context } from '../context.ts'
import { warnOfDatabaseSize } from '../operations/installation/warn-of-database-size.ts'
import { forgetMails } from '../operations/mails/forget-mails.ts'
import { forgetRuns } from '../operations/schedules/forget-runs.ts'
import { expireTaskLogs } from '../operations/tasks/expire-task-logs.ts'
import { deleteOldAlerts } from '../store/alerts/alert-history.ts'
import { deleteOldAuditEvents } from '../store/audit-bounds.ts'
import { deleteOldCounts } from '../store/credentials/shared-counts.ts'
import { deleteOldHookDeliveries } from '../store/hooks/hook-deliveries.ts'
import { deleteOldJournal } from '../store/journal.ts'
import { deleteOldSamples, summarizeSamples } from '../store/metrics/summarize-samples.ts'
import { deleteOldDeliveryIds } from '../store/repository-events/delivery-ids.ts'
import { deleteOldMoments } from '../store/schedules/schedule-moments.ts'
import type { ScheduledWork } from './scheduled-work.ts'

const HOUR_MS = 60 * 60_000
const METRICS_MS = 2 * 60_000

export function listRetentionWork(ctx: Context): readonly ScheduledWork[] {
  return [
    { name: 'deleting old journal entries', everyMs: 60_000, work: () => deleteOldJournal(ctx.db, ctx.clock()) },
    { name: 'deleting old mails', everyMs: HOUR_MS, work: () => forgetMails(ctx) },
    { name: 'deleting old counts', everyMs: HOUR_MS, work: () => deleteOldCounts(ctx.db, ctx.clock()) },
    { name: 'deleting old delivery ids', everyMs: HOUR_MS, work: () => deleteOldDeliveryIds(ctx.db, ctx.clock()) },
    {
      name: 'deleting old webhook deliveries',
      everyMs: HOUR_MS,
      work: inBatches(() => deleteOldHookDeliveries(ctx.db, ctx.clock())),
    },
    { name: 'removing old task output', everyMs: HOUR_MS, work: (signal) => expireTaskLogs(ctx, signal) },
    { name: 'checking the size of the database', everyMs: HOUR_MS, work: () => warnOfDatabaseSize(ctx) },
    {
      name: 'summarizing metrics',
      everyMs: METRICS_MS,
      work: async (signal) => {
        await summarizeSamples(ctx.db, ctx.clock())
        await inBatches(() => deleteOldSamples(ctx.db, ctx.clock()))(signal)
      },
    },
    {
      name: 'deleting old alerts',
      everyMs: HOUR_MS,
      work: inBatches(() => deleteOldAlerts(ctx.db, ctx.clock())),
    },
    {
      name: 'deleting old moments of schedules',
      everyMs: HOUR_MS,
      work: inBatches(() => deleteOldMoments(ctx.db)),
    },
    { name: 'deleting old scheduled runs', everyMs: HOUR_MS, work: (signal) => forgetRuns(ctx, signal) },
    { name: 'deleting old audit events', everyMs: HOUR_MS, work: inBatches(() => deleteOldAuditEvents(ctx.db)) },
  ]
}

/** `deleteBatch` says whether there may be more. */
const inBatches =
  (deleteBatch: () => Promise<boolean>) =>
  async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await deleteBatch()));
  }
