// Checks the services of every server with live environments: about every ten seconds, at once when a task has ended, and on the
// platform's own machine at once when a container starts or ends.
//
// "Live" means that the environment answers. One command per server lists the containers and asks each routed port for an HTTP answer;
// `domain/service-state.ts` checks. The table `services` holds the last known state: rows are created in the transaction that switches the
// routes, and a check writes only what changed, and only while the routes are still those it checked. `checked_task_id` is the newest
// deployment that had ended before the check: "still serves" is said only if no later one has ended.
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import type { RestartCounts } from '../../../runtimes/service-inspection.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { listServersOfEndedTasks, listServersThatServe } from '../../../store/environments/live-services.ts'
import { hasKnownServices, updateServicesUnknown } from '../../../store/environments/services.ts'
import { isUnreachable, type JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { checkServices } from './check-services.ts'
import { followEngine } from './follow-engine.ts'

/** With its own duration and the wait for a slot, each server is checked again within fifteen seconds. */
const CHECK_MS = 9_000
/** High, because a check mostly waits for services that do not answer. */
const CONCURRENCY = 8
/** A single broken connection says nothing: states become unknown after this many failures in a row. */
const MAX_FAILURES = 2

export type ServiceWatch = {
  start(): void
  runOnce(): Promise<void>
  /** Called each time a server has answered or was unreachable. */
  noteReachability(serverId: number, isReached: boolean): void
  stop(): Promise<void>
}

export function watchServices(ctx: Context, serverJobs: ServerJobs, hosts?: Pick<Hosts, 'of'>): ServiceWatch {
  const counts = new Map<number, RestartCounts>()
  /** In a row, by server: times that it was unreachable for any job, and checks that failed for another reason. */
  const unreachable = new Map<number, number>()
  const failures = new Map<number, number>()
  const ended = new Set<number>()

  const count = (inARow: Map<number, number>, serverId: number): void => {
    const times = (inARow.get(serverId) ?? 0) + 1
    inARow.set(serverId, times)
    if (times >= MAX_FAILURES) ctx.afterwards(() => markStatesUnknown(ctx, serverId))
  }

  const check = async ({ server, host, signal }: JobRun): Promise<void> => {
    const known: RestartCounts = counts.get(server.id) ?? new Map()
    counts.set(server.id, known)
    try {
      await checkServices(ctx, { server, host: host(), counts: known })
      failures.delete(server.id)
    } catch (error) {
      if (!signal.aborted && !isUnreachable(error)) count(failures, server.id)
      throw error
    }
  }

  /** Only on the platform's own machine: to follow events elsewhere would occupy an ssh session of each server. */
  const events = hosts && followEngine(ctx, { hosts, onEvent: (serverIds) => job.wake(serverIds) })
  const listServers = async (): Promise<readonly ServerAddress[]> => {
    const servers = await listServersThatServe(ctx.db)
    events?.follow(servers.filter(({ connection }) => connection === 'local'))
    return servers
  }

  const job = serverJobs.define({
    failureMessage: 'the services of a server could not be checked',
    recoveryMessage: 'the services of a server can be checked again',
    everyMs: CHECK_MS,
    retryMs: CHECK_MS,
    concurrency: CONCURRENCY,
    isUrgent: true,
    list: listServers,
    listEveryMs: CHECK_MS,
    run: check,
  })

  const wakeEnded = async (): Promise<void> => {
    const taskIds = [...ended]
    ended.clear()
    if (taskIds.length === 0) return
    const servers = await listServersOfEndedTasks(ctx.db, taskIds)
    job.add(servers)
    job.wake(servers.map(({ id }) => id))
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
      job.start()
    },
    runOnce: job.runOnce,
    noteReachability: (serverId, isReached) => {
      if (isReached) unreachable.delete(serverId)
      else count(unreachable, serverId)
    },
    stop: async () => {
      endListening()
      await Promise.all([waking.stop(), events?.stop()])
    },
  }
}

async function markStatesUnknown(ctx: Context, serverId: number): Promise<void> {
  if (!(await hasKnownServices(ctx.db, serverId))) return
  await ctx.change(PLATFORM, (tx) => updateServicesUnknown(tx, serverId, ctx.clock()))
}
