/**
 * Keeps the edges on servers in step with the records, and reads what they counted. A server that cannot be reached is tried again
 * later and less often, is named in the log once, and holds up no other.
 */
import type { Context } from '../../context.ts'
import { readTraffic } from '../../edge/haproxy/read-traffic.ts'
import type { ServerAddress } from '../../remote/host.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { listEdgeServers } from '../../store/installed-certificates.ts'
import { edgeFolderOf } from './edge-folder.ts'
import { keepInStep } from './server-edge.ts'

const LOOK_MS = 15_000
const LONGEST_PAUSE_MS = 300_000
/** A deployment that switches its routes brings them itself; the look that its announcement causes comes after it. */
const AFTER_CHANGE_MS = 200

export type ServedHaproxy = {
  start(): void
  /** Resolves when every server has what it should have, or could not be reached. */
  look(): Promise<void>
  stop(): Promise<void>
}

export function serveHaproxy(ctx: Context, hosts: Hosts): ServedHaproxy {
  const troubles = new Map<number, Trouble>()
  const stopper = new AbortController()

  const look = async (): Promise<void> => {
    const servers = await listEdgeServers(ctx.db)
    await Promise.all(servers.map(lookAt))
  }

  const lookAt = async (server: ServerAddress): Promise<void> => {
    const trouble = troubles.get(server.id)
    if (trouble && ctx.clock() < trouble.pauseUntil) return
    try {
      await keepInStep(ctx, hosts, { server, signal: stopper.signal })
      ctx.traffic.note(server.id, await readTraffic(hosts.of(server), edgeFolderOf(ctx, server)))
      if (troubles.delete(server.id)) ctx.log.info({ server: server.id }, 'the edge of a server is in step again')
    } catch (error) {
      if (stopper.signal.aborted) return
      if (!trouble) ctx.log.warn({ err: error, server: server.id }, 'the edge of a server is not in step')
      const times = (trouble?.times ?? 0) + 1
      const pauseUntil = ctx.clock() + Math.min(LOOK_MS * 2 ** (times - 1), LONGEST_PAUSE_MS)
      troubles.set(server.id, { times, pauseUntil })
    }
  }

  const looks = new Set<Promise<void>>()
  const lookNow = (): void => {
    soon = undefined
    const one = look()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the edges of servers could not be looked after'))
      .finally(() => looks.delete(one))
    looks.add(one)
  }
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about === 'routes') soon ??= setTimeout(lookNow, AFTER_CHANGE_MS)
      })
      timer = setInterval(lookNow, LOOK_MS)
      lookNow()
    },
    look,
    stop: async () => {
      endListening()
      clearInterval(timer)
      clearTimeout(soon)
      stopper.abort()
      await Promise.all(looks)
    },
  }
}

type Trouble = { readonly times: number; readonly pauseUntil: number }

/** For whoever has changed the routes of a server: resolves when the next request sees them, and rejects where none will. */
export async function applyServerEdge(ctx: Context, hosts: Hosts, server: ServerAddress): Promise<void> {
  await keepInStep(ctx, hosts, { server, isForced: true })
}
