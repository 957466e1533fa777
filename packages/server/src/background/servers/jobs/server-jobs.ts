/**
 * The one home of looks at servers: everything that the platform does there by itself, beside tasks, goes through here. Servers that are
 * out of reach cost next to nothing, hold up no other, and are left alone for longer each time; a request never waits for any of
 * it, and neither does the end of the platform.
 */
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { defineJob, type ServerJob } from './define-job.ts'
import { createJobScheduler } from './job-scheduler.ts'
import { createReachability } from './reachability.ts'
import type { At, Job, JobDefinition } from './server-job.ts'

export type ServerJobs = {
  /** Looks after one kind of thing on all servers that have it, from its `start` on. */
  define(kind: JobDefinition): ServerJob
  /** Does something on a server once, when its turn comes. Rejects at once where the server is being left alone. */
  runOnce<Result>(server: ServerAddress, work: (at: At) => Promise<Result>): Promise<Result>
  /** A task ran there: it need not be left alone any longer. */
  reset(serverId: number): void
  /** So it is when its record has changed, and nothing goes by the earlier one. */
  changed(serverId: number): void
  /** Ends what runs. */
  stop(): Promise<void>
}

type Options = {
  /** Milliseconds of a clock that does not jump; tests have their own. */
  readonly now?: () => number
  /** Told of each time that a server answered or was out of reach. */
  readonly onReach?: (serverId: number, isReached: boolean) => void
}

export function createServerJobs(
  { log }: Pick<Context, 'log'>,
  hosts: Pick<Hosts, 'of' | 'probe'>,
  { now = () => performance.now(), onReach = () => undefined }: Options = {},
): ServerJobs {
  const kinds = new Set<ServerJob>()
  const visits = new Set<Job>()
  const places = createReachability({ log, now, onReach })
  const pace = createJobScheduler({
    jobs: function* () {
      yield* visits
      for (const kept of kinds) yield* kept.jobs()
    },
    places,
    now,
    listen: ({ server, signal }) => hosts.probe(server, signal),
    at: ({ server }, signal) => ({ server, signal, host: () => stoppable(hosts.of(server), signal) }),
  })

  const forgetGone = (): void => {
    const known = [...visits, ...[...kinds].flatMap((kept) => [...kept.jobs()])]
    places.keepOnly(new Set(known.map(({ server }) => server.id)))
  }

  const reset = (serverId: number): void => {
    places.reset(serverId)
    for (const kept of kinds) kept.reset(serverId)
    pace.go()
  }

  return {
    define: (kind) => {
      const isQuiet = (serverId: number): boolean => places.of(serverId).quietUntil > now()
      const kept = defineJob(kind, { log, now, go: pace.go, isQuiet, onList: forgetGone })
      kinds.add(kept)
      return kept
    },
    runOnce: (server, work) =>
      new Promise((resolve, reject) => {
        if (places.of(server.id).quietUntil > now())
          return reject(new ServerUnreachable('connect', `The server ${server.name} is left alone for now`))
        const job: Job = {
          kind: VISIT,
          server,
          dueAt: 0,
          pausedUntil: 0,
          isWanted: true,
          run: async (at) => resolve(await work(at)),
          end: (failure) => {
            visits.delete(job)
            if (failure) reject(failure.error)
          },
        }
        visits.add(job)
        pace.go()
      }),
    reset,
    changed: (serverId) => {
      reset(serverId)
      for (const kept of kinds) kept.listAgain()
    },
    stop: async () => {
      const stopped = [...kinds].map((kept) => kept.stop())
      await Promise.all([...stopped, pace.stop()])
      for (const visit of visits)
        visit.end({ error: new ServerUnreachable('connect', 'The platform is stopping'), isOutOfReach: true })
    },
  }
}

const VISIT = { atOnce: Number.POSITIVE_INFINITY }

/** Whatever is run there ends with the signal. */
const stoppable = (host: Host, signal: AbortSignal): Host => ({
  ...host,
  run: (command, options) =>
    host.run(command, { ...options, signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal }),
})
