// Syncs HAProxy on every server with the records, and reads its traffic counters.
import type { Context } from '../../../context.ts'
import { type EdgeTraffic, readTraffic } from '../../../edge/haproxy/read-traffic.ts'
import type { EdgeStats } from '../../../edge/traffic-counts.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { listEdgeServers } from '../../../store/projects/installed-certificates.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { balanceEdges } from './balance-edges.ts'
import { onEdgeMachines } from './edge-machines.ts'
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

  const sync = async ({ server, signal }: JobRun): Promise<void> => {
    await updateHaproxyEdge(ctx, hosts, { server, signal })
    const { listUpstreams } = runtimeOf(server)
    if (listUpstreams) await balanceEdges(ctx, hosts, { server, signal, listUpstreams })
    // A run that a change of routes has caused need not read the counters again.
    const now = ctx.clock()
    if (Math.abs(now - (trafficAt.get(server.id) ?? 0)) < TRAFFIC_MS) return
    const { results } = await onEdgeMachines(ctx, hosts, { server, signal }, (machine) =>
      readTraffic(machine.host, haproxyFolderOf(ctx, server)),
    )
    ctx.traffic.note(server.id, sumOf(results))
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
    isDue: (server) => isHaproxyBehind(ctx, hosts, server),
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

/** Since the first of them began to count. */
function sumOf(readings: readonly EdgeTraffic[]): EdgeTraffic {
  const environments = new Map<number, EdgeStats>()
  for (const reading of readings) {
    for (const [id, { requests, errors }] of reading.environments) {
      const before = environments.get(id) ?? { requests: 0, errors: 0 }
      environments.set(id, { requests: before.requests + requests, errors: before.errors + errors })
    }
  }
  const since = readings.flatMap((reading) => reading.since ?? [])
  return { since: since.length === 0 ? null : Math.min(...since), environments }
}
