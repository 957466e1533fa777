// Frees the disks of servers that run containers, once a day each.
import type { Context } from '../../context.ts'
import { prune } from '../../recipes/docker/images/prune.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../../remote/host.ts'
import { listDeleted, listEnvironmentTasks, listServersToTidy, type ServerToTidy } from '../../store/remains.ts'
import type { Parts as AllParts } from '../parts.ts'

type Parts = Pick<AllParts, 'hosts'>

const LOOK_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** For a server that is out of reach. */
const RETRY_MS = 60 * 60_000

export function pruneServers(ctx: Context, parts: Parts): { start(): void; stop(): Promise<void> } {
  const dueAt = new Map<number, number>()
  let looking: Promise<void> | undefined
  let isStopping = false

  const look = async (): Promise<void> => {
    const servers = (await listServersToTidy(ctx.db)).filter(({ recipes }) => recipes.includes('docker'))
    // One after the other: nobody waits for it, and others work on the same servers.
    for (const server of servers) {
      if (isStopping) return
      if (performance.now() < (dueAt.get(server.id) ?? 0)) continue
      const isDone = await attempt(server)
      dueAt.set(server.id, performance.now() + (isDone ? DAY_MS : RETRY_MS))
    }
  }

  const attempt = async (server: ServerToTidy): Promise<boolean> => {
    try {
      await pruneServer(ctx, { host: parts.hosts.of(server), serverId: server.id })
      return true
    } catch (error) {
      const isOutOfReach = error instanceof ServerUnreachable || error instanceof ConnectionLost
      if (!isOutOfReach && !isStopping) ctx.log.warn({ err: error, server: server.id }, 'a disk could not be freed')
      return false
    }
  }

  const lookSoon = (): void => {
    looking ??= look()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the servers to free could not be read'))
      .finally(() => {
        looking = undefined
      })
  }

  let timer: NodeJS.Timeout | undefined
  return {
    // Not right at the start: then tasks go on that a restart has interrupted.
    start: () => {
      timer = setInterval(lookSoon, LOOK_MS)
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await looking
    },
  }
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
