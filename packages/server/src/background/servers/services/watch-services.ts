// Looks at the services of every server that serves something: about every ten seconds, at once when a task has ended, and on the platform's
// own machine at once when a container starts or ends.
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { listServersOfEndedTasks, listServersThatServe } from '../../../store/environments/live-services.ts'
import { hasKnownServices, updateServicesUnknown } from '../../../store/environments/services.ts'
import { type JobRun, isUnreachable } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { checkServices, type RestartCounts } from './check-services.ts'
import { followEngine } from './follow-engine.ts'

/** With the time that a look takes, and waits for its turn, each server is seen again within fifteen seconds. */
const LOOK_MS = 9_000
/** Servers at once: most of the time of a look is waiting for services that do not answer. */
const AT_ONCE = 8
/** A connection may break once: after so many failures in a row nobody knows any more. */
const FAILURES = 2

export type ServiceWatch = {
  start(): void
  runOnce(): Promise<void>
  /** Told of each time that a server answered or was out of reach. */
  noteReachability(serverId: number, isReached: boolean): void
  stop(): Promise<void>
}

export function watchServices(ctx: Context, serverJobs: ServerJobs, hosts?: Pick<Hosts, 'of'>): ServiceWatch {
  const counts = new Map<number, RestartCounts>()
  /** In a row, by server: out of reach for anybody, and looks that failed for another reason. */
  const misses = new Map<number, number>()
  const failures = new Map<number, number>()
  const ended = new Set<number>()

  const count = (inARow: Map<number, number>, serverId: number): void => {
    const times = (inARow.get(serverId) ?? 0) + 1
    inARow.set(serverId, times)
    if (times >= FAILURES) ctx.afterwards(() => forgetStates(ctx, serverId))
  }

  const lookAt = async ({ server, host, signal }: JobRun): Promise<void> => {
    const known: RestartCounts = counts.get(server.id) ?? new Map()
    counts.set(server.id, known)
    try {
      await checkServices(ctx, { serverId: server.id, host: host(), counts: known })
      failures.delete(server.id)
    } catch (error) {
      if (!signal.aborted && !isUnreachable(error)) count(failures, server.id)
      throw error
    }
  }

  /** On the platform's own machine events are heard at no cost; to follow them elsewhere would take a session of each server for good. */
  const events = hosts && followEngine(ctx, { hosts, onEvent: (serverIds) => kept.wake(serverIds) })
  const listServers = async (): Promise<readonly ServerAddress[]> => {
    const servers = await listServersThatServe(ctx.db)
    events?.follow(servers.filter(({ connection }) => connection === 'local'))
    return servers
  }

  const kept = serverJobs.define({
    failureMessage: 'the services of a server could not be looked at',
    recoveryMessage: 'the services of a server are looked at again',
    everyMs: LOOK_MS,
    retryMs: LOOK_MS,
    concurrency: AT_ONCE,
    isUrgent: true,
    list: listServers,
    listEveryMs: LOOK_MS,
    run: lookAt,
  })

  const wakeEnded = async (): Promise<void> => {
    const taskIds = [...ended]
    ended.clear()
    if (taskIds.length === 0) return
    const servers = await listServersOfEndedTasks(ctx.db, taskIds)
    kept.add(servers)
    kept.wake(servers.map(({ id }) => id))
  }
  const waking = createLoop({
    work: wakeEnded,
    startsWithPause: true,
    onError: (error) => ctx.log.error({ err: error }, 'the records of ended tasks could not be read'),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((event) => {
        if (event.about !== 'task') return
        ended.add(event.id)
        waking.wake()
      })
      kept.start()
    },
    runOnce: kept.runOnce,
    noteReachability: (serverId, isReached) => {
      if (isReached) misses.delete(serverId)
      else count(misses, serverId)
    },
    stop: async () => {
      endListening()
      await Promise.all([waking.stop(), events?.stop()])
    },
  }
}

async function forgetStates(ctx: Context, serverId: number): Promise<void> {
  if (!(await hasKnownServices(ctx.db, serverId))) return
  await ctx.change(PLATFORM, (tx) => updateServicesUnknown(tx, serverId, ctx.clock()))
}
