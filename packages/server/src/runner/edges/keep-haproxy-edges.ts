// Keeps the edges on servers in step with the records, and reads what they counted.
import type { Context } from '../../context.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { readTraffic } from '../../edge/haproxy/read-traffic.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { listEdgeServers } from '../../store/projects/installed-certificates.ts'
import type { At } from '../looks/look.ts'
import type { Looks } from '../looks/looks.ts'
import { edgeFolderOf } from './haproxy-folder.ts'
import { isBehind, keepInStep } from './update-haproxy-edge.ts'

const LOOK_MS = 15_000
/** A deployment that switches its routes brings them itself; the look that its announcement causes comes after it. */
const AFTER_CHANGE_MS = 200

export type ServedHaproxy = {
  start(): void
  /** Resolves when every server has what it should have, or could not be reached. */
  look(): Promise<void>
  stop(): void
}

type Parts = { readonly hosts: Hosts; readonly looks: Looks }

export function serveHaproxy(ctx: Context, { hosts, looks }: Parts): ServedHaproxy {
  const trafficAt = new Map<number, number>()

  const lookAt = async ({ server, signal, host }: At): Promise<void> => {
    await keepInStep(ctx, hosts, { server, signal })
    // A change of the records elsewhere is no reason to go there.
    const now = ctx.clock()
    if (Math.abs(now - (trafficAt.get(server.id) ?? 0)) < TRAFFIC_MS) return
    ctx.traffic.note(server.id, await readTraffic(host(), edgeFolderOf(ctx, server)))
    trafficAt.set(server.id, now)
  }

  const kept = looks.keep({
    trouble: 'the edge of a server is not in step',
    over: 'the edge of a server is in step again',
    ...{ everyMs: LOOK_MS, retryMs: LOOK_MS, atOnce: 3 },
    ...{ list: () => listEdgeServers(ctx.db), listMs: LOOK_MS },
    isDue: ({ id }) => isBehind(ctx, hosts, id),
    look: lookAt,
  })

  let soon: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  const findChanged = (): void => {
    soon = undefined
    kept.sift()
  }
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about === 'routes') soon ??= setTimeout(findChanged, AFTER_CHANGE_MS)
      })
      kept.start()
    },
    look: kept.look,
    stop: () => {
      endListening()
      clearTimeout(soon)
    },
  }
}

/** Somewhat less than between two looks. */
const TRAFFIC_MS = 10_000

/** For whoever has changed the routes of a server: resolves when the next request sees them, and rejects where none will. */
export async function applyServerEdge(ctx: Context, hosts: Hosts, server: ServerAddress): Promise<void> {
  await keepInStep(ctx, hosts, { server, isForced: true })
}
