// Frees the disks of servers that run containers, once a day each.
import type { Context } from '../../context.ts'
import { prune } from '../../recipes/docker/images/prune.ts'
import type { Host } from '../../remote/host.ts'
import { isResting } from '../../store/backup/restored.ts'
import { listDeleted, listEnvironmentTasks, listServersToTidy } from '../../store/tasks/remains.ts'
import type { Looks } from '../looks/looks.ts'

const DAY_MS = 24 * 60 * 60_000
const RETRY_MS = 60 * 60_000
/** Not right at the start: then tasks go on that a restart has interrupted. */
const FIRST_MS = 10 * 60_000

export function pruneServers(ctx: Context, looks: Looks): { start(): void } {
  const { start } = looks.keep({
    trouble: 'a disk could not be freed',
    // One after the other: nobody waits for it, and others work on the same servers.
    ...{ everyMs: DAY_MS, firstMs: FIRST_MS, retryMs: RETRY_MS, atOnce: 1 },
    list: async () => (await listServersToTidy(ctx.db)).filter(({ recipes }) => recipes.includes('docker')),
    listMs: FIRST_MS,
    look: async ({ server, host }) => {
      if (!(await isResting(ctx.db))) await pruneServer(ctx, { host: host(), serverId: server.id })
    },
  })
  return { start }
}

type Where = { readonly host: Host; readonly serverId: number; readonly cacheGigabytes?: number }

export function pruneServer(
  ctx: Pick<Context, 'db' | 'config' | 'installationId'>,
  { host, serverId, cacheGigabytes = ctx.config.buildCacheGigabytes }: Where,
): Promise<void> {
  const goneOf = async (ids: readonly number[]): Promise<readonly number[]> => {
    if (ids.length === 0) return []
    const known = await listEnvironmentTasks(ctx.db, serverId, ids)
    const removed = known.filter(({ isGone }) => isGone).map(({ id }) => id)
    return [...removed, ...(await listDeleted(ctx.db, 'environments', ids))]
  }
  return prune(host, { installationId: ctx.installationId, cacheGigabytes, goneOf })
}
