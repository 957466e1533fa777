/**
 * Runs everything that the platform does on servers by itself, beside tasks. Unreachable servers cost next to nothing, delay no other
 * server, and are retried with growing pauses. Neither a request nor the stop of the platform waits for a job.
 */
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { ServerUnreachable, withSignal } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { defineJob, type ServerJob } from './define-job.ts'
import { createJobScheduler } from './job-scheduler.ts'
import { createReachability } from './reachability.ts'
import type { Job, JobDefinition, JobRun } from './server-job.ts'

export type ServerJobs = {
  /** Defines a job. It runs on all servers of its list once it is started. */
  define(definition: JobDefinition): ServerJob
  /** Runs `work` on a server once, when its turn comes. Rejects at once while the server is backed off. */
  runOnce<Result>(server: ServerAddress, work: (run: JobRun) => Promise<Result>): Promise<Result>
  /** Ends the back-off of a server: a task has just run there. */
  reset(serverId: number): void
  /** The record of the server has changed: ends its back-off and reads all lists again. */
  serverChanged(serverId: number): void
  /** Aborts running jobs. */
  stop(): Promise<void>
}

type Options = {
  /** Monotonic milliseconds; tests pass their own. */
  readonly now?: () => number
  /** Called each time a server has answered or was unreachable. */
  readonly onReachability?: (serverId: number, isReached: boolean) => void
}

export function createServerJobs(
  { log }: Pick<Context, 'log'>,
  hosts: Pick<Hosts, 'of' | 'probe'>,
  { now = () => performance.now(), onReachability = () => undefined }: Options = {},
): ServerJobs {
  const defined = new Set<ServerJob>()
  const oneOffs = new Set<Job>()
  const reachability = createReachability({ log, now, onReachability })
  const scheduler = createJobScheduler({
    jobs: function* () {
      yield* oneOffs
      for (const job of defined) yield* job.jobs()
    },
    reachability,
    now,
    probe: ({ server, signal }) => hosts.probe(server, signal),
    runOf: ({ server }, signal) => ({ server, signal, host: () => withSignal(hosts.of(server), signal) }),
  })

  const isBackedOff = (serverId: number): boolean => reachability.of(serverId).backOffUntil > now()

  const forgetUnlisted = (): void => {
    const known = [...oneOffs, ...[...defined].flatMap((job) => [...job.jobs()])]
    reachability.retainOnly(new Set(known.map(({ server }) => server.id)))
  }

  const reset = (serverId: number): void => {
    reachability.reset(serverId)
    for (const job of defined) job.reset(serverId)
    scheduler.schedule()
  }

  return {
    define: (definition) => {
      const { schedule } = scheduler
      const job = defineJob(definition, { log, now, schedule, isBackedOff, onListed: forgetUnlisted })
      defined.add(job)
      return job
    },
    runOnce: (server, work) =>
      new Promise((resolve, reject) => {
        if (isBackedOff(server.id))
          return reject(
            new ServerUnreachable('connect', `The server ${server.name} did not answer lately; it is retried later`),
          )
        const job: Job = {
          kind: ONE_OFF,
          server,
          dueAt: 0,
          pausedUntil: 0,
          isRequested: true,
          run: async (run) => resolve(await work(run)),
          end: (failure) => {
            oneOffs.delete(job)
            if (failure) reject(failure.error)
          },
        }
        oneOffs.add(job)
        scheduler.schedule()
      }),
    reset,
    serverChanged: (serverId) => {
      reset(serverId)
      for (const job of defined) job.relist()
    },
    stop: async () => {
      const stopped = [...defined].map((job) => job.stop())
      await Promise.all([...stopped, scheduler.stop()])
      for (const job of oneOffs)
        job.end({ error: new ServerUnreachable('connect', 'The platform is stopping'), isUnreachable: true })
    },
  }
}

const ONE_OFF = { concurrency: Number.POSITIVE_INFINITY }
