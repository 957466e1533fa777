// Checks every few minutes whether each server answers and how full its disk is. Alerts are made from these records.
import type { Context } from '../../../context.ts'
import { measureDisk } from '../../../remote/set-up/fullest-disk.ts'
import { listServersToWatch, updateServerDisk } from '../../../store/alerts/server-health.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'

const EVERY_MS = 5 * 60_000
const FIRST_MS = 30_000
const LIST_MS = 60_000

export function watchServers(ctx: Context, serverJobs: ServerJobs): { start(): void; runOnce(): Promise<void> } {
  const { start, runOnce } = serverJobs.define({
    failureMessage: 'a disk could not be measured',
    everyMs: EVERY_MS,
    initialDelayMs: FIRST_MS,
    retryMs: EVERY_MS,
    concurrency: 2,
    listEveryMs: LIST_MS,
    list: () => listServersToWatch(ctx.db),
    run: (run) => measure(ctx, run),
  })
  return { start, runOnce }
}

/** Output that cannot be parsed is ignored: the server answered. */
async function measure(ctx: Context, { server, host }: JobRun): Promise<void> {
  const disk = await measureDisk(host())
  if (disk) await updateServerDisk(ctx.db, { serverId: server.id, ...disk })
}
