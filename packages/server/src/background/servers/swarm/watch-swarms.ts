// Reads the nodes of every Swarm about every 15 seconds, signs in to the managers that an admin named, and gives the record another manager's
// address when the one in use is lost.
//
// Only an admin names the address of a manager, and its host key is pinned when the platform first signs in there. A manager takes over only
// while it has that key and is a manager of the same Swarm, which works: so neither a node nor a machine at an old address makes itself one.
import type { Context } from '../../../context.ts'
import { AppError } from '../../../domain/errors.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { takeOver } from '../../../operations/servers/swarm/take-over.ts'
import { recordNodes } from '../../../progress/record-nodes.ts'
import { ServerUnreachable } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { readSwarmOf, readSwarmWithReports } from '../../../remote/swarm/swarm-manager.ts'
import { withinDeadline } from '../../../remote/within-deadline.ts'
import { atManager, isSameAddress, listManagers, type ServerManager } from '../../../store/servers/managers.ts'
import { findServerAddress, findSwarmId, listServersWithNodes } from '../../../store/servers/servers.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'

const EVERY_MS = 15_000
const RETRY_MS = 10_000
const LIST_MS = 15_000
/** For one manager. */
const TIMEOUT_MS = 20_000
/** A single broken connection says nothing. */
const MAX_FAILURES = 2

type SwarmWatch = {
  start(): void
  runOnce(): Promise<void>
  /** Called each time a server has answered or was unreachable. */
  noteReachability(serverId: number, isReached: boolean): void
}

export function watchSwarms(ctx: Context, serverJobs: ServerJobs, hosts: Pick<Hosts, 'ofManager'>): SwarmWatch {
  const unreachable = new Map<number, number>()
  const swarms = new Set<number>()
  const replacing = new Set<number>()

  const replace = async (serverId: number): Promise<void> => {
    if (replacing.has(serverId)) return
    replacing.add(serverId)
    try {
      await replaceManager(ctx, hosts, serverId)
    } finally {
      replacing.delete(serverId)
    }
  }

  const read = async ({ server, host, signal }: JobRun): Promise<void> => {
    try {
      await recordNodes(ctx, { server, swarm: await readSwarmWithReports(host(), signal) })
    } catch (error) {
      // The machine answers, and manages no Swarm that works.
      if (!signal.aborted && error instanceof AppError) await replace(server.id)
      throw error
    }
    await meetManagers(ctx, hosts, server)
  }

  const { start, runOnce } = serverJobs.define({
    failureMessage: 'the nodes of a Swarm could not be read',
    recoveryMessage: 'the nodes of a Swarm can be read again',
    everyMs: EVERY_MS,
    retryMs: RETRY_MS,
    concurrency: 4,
    listEveryMs: LIST_MS,
    list: async () => {
      const servers = await listServersWithNodes(ctx.db)
      swarms.clear()
      for (const { id } of servers) swarms.add(id)
      return servers
    },
    run: read,
  })
  return {
    start,
    runOnce,
    noteReachability: (serverId, isReached) => {
      if (!swarms.has(serverId)) return
      const times = isReached ? 0 : (unreachable.get(serverId) ?? 0) + 1
      unreachable.set(serverId, times)
      if (times >= MAX_FAILURES) ctx.afterwards(() => replace(serverId))
    },
  }
}

/** Signs in to managers that were named since: the connection pins the key. One that does not answer is tried again with the next pass. */
async function meetManagers(ctx: Context, hosts: Pick<Hosts, 'ofManager'>, server: ServerAddress): Promise<void> {
  for (const manager of await listOthers(ctx, server)) {
    if (manager.hasSignedIn) continue
    await read(hosts, atManager(server, manager)).catch(ignoreUnreachable)
  }
}

/** The first that answers, has its pinned key, and manages the same Swarm. */
async function replaceManager(ctx: Context, hosts: Pick<Hosts, 'ofManager'>, serverId: number): Promise<void> {
  const server = await findServerAddress(ctx.db, serverId)
  const swarmId = await findSwarmId(ctx.db, serverId)
  if (!server || !swarmId) return
  for (const manager of await listOthers(ctx, server)) {
    if (!manager.hasSignedIn) continue
    const swarm = await read(hosts, atManager(server, manager)).catch(ignoreUnreachable)
    if (swarm?.id !== swarmId || !(await takeOver(ctx, { server, to: manager }))) continue
    ctx.log.warn({ server: serverId, manager: manager.hostname }, 'another manager of a Swarm took over')
    return
  }
}

async function listOthers(ctx: Pick<Context, 'db'>, server: ServerAddress): Promise<readonly ServerManager[]> {
  return (await listManagers(ctx.db, server.id)).filter((manager) => !isSameAddress(manager, server))
}

function read(hosts: Pick<Hosts, 'ofManager'>, server: ServerAddress) {
  const host = hosts.ofManager(server)
  return withinDeadline(host, TIMEOUT_MS, (signal) => readSwarmOf(host, signal))
}

function ignoreUnreachable(error: unknown): undefined {
  if (error instanceof ServerUnreachable || error instanceof AppError) return undefined
  throw error
}
