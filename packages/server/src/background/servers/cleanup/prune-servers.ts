// Frees the disks of servers that run containers, once a day each.
import type { Recipe } from '@shipway/api/values/recipe'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../../context.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { isAwaitingReview } from '../../../store/backup/restored.ts'
import { listGone, listServersToCleanUp } from '../../../store/tasks/orphans.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'

const DAY_MS = 24 * 60 * 60_000
const RETRY_MS = 60 * 60_000
/** Not right at the start, when interrupted tasks resume. */
const FIRST_MS = 10 * 60_000

const hasContainers = (recipe: Recipe): boolean => runsContainers[recipe]

export function pruneServers(ctx: Context, serverJobs: ServerJobs): { start(): void } {
  const { start } = serverJobs.define({
    failureMessage: 'pruning a server failed',
    // One server at a time: pruning is never urgent, and tasks run on the same servers.
    everyMs: DAY_MS,
    initialDelayMs: FIRST_MS,
    retryMs: RETRY_MS,
    concurrency: 1,
    list: async () => (await listServersToCleanUp(ctx.db)).filter(({ recipes }) => recipes.some(hasContainers)),
    listEveryMs: FIRST_MS,
    run: async ({ server, host }) => {
      if (await isAwaitingReview(ctx.db)) return
      await runtimeOf(server).freeDisk(host(), {
        installationId: ctx.installationId,
        cacheGigabytes: ctx.config.buildCacheGigabytes,
        goneOf: (ids) => listGone(ctx.db, server.id, ids),
      })
    },
  })
  return { start }
}
