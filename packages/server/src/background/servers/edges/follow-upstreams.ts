// Follows what happens to the tasks of servers of several machines, and makes their edges balance over those that are ready then. Missed
// events are harmless: HAProxy itself leaves out what does not answer, and the regular sync finds the rest.
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { CommandStopped } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { listEdgeServers } from '../../../store/projects/installed-certificates.ts'
import { isUnreachable } from '../jobs/server-job.ts'
import { balanceEdges } from './balance-edges.ts'
import { keyOf } from './edge-machines.ts'

const LIST_MS = 15_000
/** Several tasks of a service start and end together. */
const AFTER_EVENT_MS = 100
/** A task that fails in a loop must not occupy its server. */
const REST_MS = 1_000
const RETRY_MS = 10_000
const LIMIT_MS = 24 * 60 * 60_000

export type UpstreamFollowing = { start(): void; stop(): Promise<void> }

type Dependencies = {
  readonly hosts: Hosts
  readonly runtimeFor?: (server: ServerAddress) => Pick<Runtime, 'followEvents' | 'listUpstreams'>
}

export function followUpstreams(ctx: Context, { hosts, runtimeFor = runtimeOf }: Dependencies): UpstreamFollowing {
  const followers = new Map<string, { stop(): Promise<void> }>()

  /** A server that has another address is another one. */
  const sync = async (signal: AbortSignal): Promise<void> => {
    const servers = (await listEdgeServers(ctx.db)).filter((server) => runtimeFor(server).listUpstreams !== null)
    const keys = new Set(servers.map(keyOf))
    const left = [...followers].filter(([key]) => !keys.has(key))
    for (const [key] of left) followers.delete(key)
    await Promise.all(left.map(([, follower]) => follower.stop()))
    for (const server of servers) {
      const key = keyOf(server)
      if (signal.aborted || followers.has(key)) continue
      followers.set(key, followServer(ctx, { hosts, server, runtime: runtimeFor(server) }))
    }
  }
  const listing = createLoop({
    work: sync,
    everyMs: LIST_MS,
    onError: (error) => ctx.log.error({ err: error }, 'the servers with balanced edges could not be read'),
  })
  return {
    start: listing.start,
    stop: async () => {
      await listing.stop()
      await Promise.all([...followers.values()].map((follower) => follower.stop()))
    },
  }
}

type Followed = {
  readonly hosts: Hosts
  readonly server: ServerAddress
  readonly runtime: Pick<Runtime, 'followEvents' | 'listUpstreams'>
}

function followServer(ctx: Context, { hosts, server, runtime }: Followed): { stop(): Promise<void> } {
  /** An unreachable server is logged by the jobs that find it so. */
  const warn = (message: string) => (error: unknown) => {
    if (!isUnreachable(error)) ctx.log.warn({ err: error, server: server.id }, message)
  }
  const balancing = createLoop({
    work: async (signal) => {
      const { listUpstreams } = runtime
      if (listUpstreams) await balanceEdges(ctx, hosts, { server, signal, listUpstreams })
    },
    restMs: REST_MS,
    startsWithPause: true,
    onError: warn('the edge of a server could not be balanced'),
  })
  const afterEvent = createAlarm(balancing.wake)
  const following = createLoop({
    // Over a connection of its own: it takes no session from a deployment.
    work: async (signal) => {
      const onOutput = (): void => afterEvent.within(AFTER_EVENT_MS)
      const events = runtime.followEvents(hosts.forLogs(server), ctx.installationId, {
        onOutput,
        signal,
        timeoutMs: LIMIT_MS,
      })
      await events.catch((error: unknown) => {
        if (!(error instanceof CommandStopped)) throw error
      })
    },
    everyMs: RETRY_MS,
    restMs: RETRY_MS,
    onError: warn('following the tasks of a server failed; it is retried'),
  })
  following.start()
  return {
    stop: async () => {
      await following.stop()
      afterEvent.clear()
      await balancing.stop()
    },
  }
}
