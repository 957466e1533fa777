// Keeps HAProxy on every server in step with the records, and reads its traffic counters.
import type { Context } from '../../context.ts'
import { readTraffic } from '../../edge/haproxy/read-traffic.ts'
import { createAlarm } from '../../pacing/alarm.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { listEdgeServers } from '../../store/projects/installed-certificates.ts'
import type { At } from '../looks/look.ts'
import type { Looks } from '../looks/looks.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { isHaproxyBehind, updateHaproxyEdge } from './update-haproxy-edge.ts'

const LOOK_MS = 15_000
/** A deployment updates HAProxy itself when it switches routes. The look that its announcement causes should come after that. */
const AFTER_CHANGE_MS = 200

export type HaproxyKeeper = {
  start(): void
  /** Resolves when every server is up to date or could not be reached. */
  look(): Promise<void>
  stop(): void
}

type HaproxyKeeperParts = { readonly hosts: Hosts; readonly looks: Looks }

export function keepHaproxyEdges(ctx: Context, { hosts, looks }: HaproxyKeeperParts): HaproxyKeeper {
  const trafficAt = new Map<number, number>()

  const lookAt = async ({ server, signal, host }: At): Promise<void> => {
    await updateHaproxyEdge(ctx, hosts, { server, signal })
    // A change of the records elsewhere is no reason to read the counters again.
    const now = ctx.clock()
    if (Math.abs(now - (trafficAt.get(server.id) ?? 0)) < TRAFFIC_MS) return
    ctx.traffic.note(server.id, await readTraffic(host(), haproxyFolderOf(ctx, server)))
    trafficAt.set(server.id, now)
  }

  const kept = looks.keep({
    trouble: 'the edge of a server is not in step',
    over: 'the edge of a server is in step again',
    ...{ everyMs: LOOK_MS, retryMs: LOOK_MS, atOnce: 3 },
    ...{ list: () => listEdgeServers(ctx.db), listMs: LOOK_MS },
    isDue: ({ id }) => isHaproxyBehind(ctx, hosts, id),
    look: lookAt,
  })

  const afterChange = createAlarm(kept.sift)
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about === 'routes') afterChange.within(AFTER_CHANGE_MS)
      })
      kept.start()
    },
    look: kept.look,
    stop: () => {
      endListening()
      afterChange.clear()
    },
  }
}

/** A little less than the time between two looks. */
const TRAFFIC_MS = 10_000
