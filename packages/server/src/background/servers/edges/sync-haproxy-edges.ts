// Syncs HAProxy on every server with the records, and reads its traffic counters.
import type { Context } from '../../../context.ts'
import { readTraffic } from '../../../edge/haproxy/read-traffic.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { listEdgeServers } from '../../../store/projects/installed-certificates.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { isHaproxyBehind, updateHaproxyEdge } from './update-haproxy-edge.ts'

const SYNC_MS = 15_000
/** A deployment updates HAProxy itself when it switches routes. The sync that its event causes should come after that. */
const AFTER_CHANGE_MS = 200

export type HaproxySync = {
  start(): void
  /** Resolves when every server is up to date or could not be reached. */
  runOnce(): Promise<void>
  stop(): void
}

type HaproxySyncDependencies = { readonly hosts: Hosts; readonly serverJobs: ServerJobs }

export function syncHaproxyEdges(ctx: Context, { hosts, serverJobs }: HaproxySyncDependencies): HaproxySync {
  const trafficAt = new Map<number, number>()

  const sync = async ({ server, signal, host }: JobRun): Promise<void> => {
    await updateHaproxyEdge(ctx, hosts, { server, signal })
    // A run that a change of routes has caused need not read the counters again.
    const now = ctx.clock()
    if (Math.abs(now - (trafficAt.get(server.id) ?? 0)) < TRAFFIC_MS) return
    ctx.traffic.note(server.id, await readTraffic(host(), haproxyFolderOf(ctx, server)))
    trafficAt.set(server.id, now)
  }

  const job = serverJobs.define({
    failureMessage: 'the edge of a server could not be synced',
    recoveryMessage: 'the edge of a server is synced again',
    everyMs: SYNC_MS,
    retryMs: SYNC_MS,
    concurrency: 3,
    list: () => listEdgeServers(ctx.db),
    listEveryMs: SYNC_MS,
    isDue: ({ id }) => isHaproxyBehind(ctx, hosts, id),
    run: sync,
  })

  const afterChange = createAlarm(job.checkDue)
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about === 'routes') afterChange.within(AFTER_CHANGE_MS)
      })
      job.start()
    },
    runOnce: job.runOnce,
    stop: () => {
      endListening()
      afterChange.clear()
    },
  }
}

/** A little less than the time between two runs. */
const TRAFFIC_MS = 10_000
