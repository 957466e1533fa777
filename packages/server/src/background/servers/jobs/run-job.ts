// Probes the server of a job, or runs the job, and records how the server answered. Jobs that are only due are followed by a rest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CommandStopped, ServerUnreachable } from '../../../remote/host.ts'
import { watchLag } from '../../../scheduling/lag.ts'
import type { Reachability } from './reachability.ts'
import { isUnreachable, type Job, type JobRun } from './server-job.ts'

/** After a start no server is known yet: a reachable one answers soon, and silent ones must not hold it up. */
const FIRST_PROBE_MS = 3_000
/** Between the starts of two jobs that are only due. */
const PACE_MS = 1_000
/** Such jobs may block the event loop for a small share of the time: they rest this many times as long as they blocked it. */
const REST_FACTOR = 300
const MAX_REST_MS = 3_000

type Options = {
  readonly reachability: Reachability
  readonly probe: (run: JobRun) => Promise<void>
  readonly runOf: (job: Job, signal: AbortSignal) => JobRun
  /** Aborted when the platform stops. */
  readonly signal: AbortSignal
}

export type JobRunner = {
  readonly running: ReadonlySet<Job>
  readonly probing: ReadonlySet<Job>
  /** How long no job starts that is only due; zero or less if it may start now. */
  restMs(): number
  run(job: Job): Promise<void>
  probe(job: Job): Promise<void>
}

export function createJobRunner({ reachability, probe, runOf, signal }: Options): JobRunner {
  const running = new Set<Job>()
  const probing = new Set<Job>()
  const lag = watchLag()
  let restsUntil = 0
  const rest = (milliseconds: number): void => {
    restsUntil = Math.max(restsUntil, performance.now() + milliseconds)
  }

  const fail = (job: Job, error: unknown): void => {
    if (isUnreachable(error) && !signal.aborted) reachability.markUnreachable(job.server.id, error)
    job.isRequested = false
    job.end({ error, isUnreachable: isUnreachable(error) })
  }

  return {
    running,
    probing,
    restMs: () => restsUntil - performance.now(),
    run: async (job) => {
      running.add(job)
      const isOnlyDue = !job.isRequested && !job.kind.isUrgent
      if (isOnlyDue) {
        rest(PACE_MS)
        lag.begin()
      }
      // A request from here on causes one more run.
      job.isRequested = false
      try {
        // The embedded database answers within the same turn: without this, jobs that only read would starve requests.
        await nextTurn()
        if (signal.aborted) throw new CommandStopped('aborted')
        await job.run(runOf(job, signal))
        reachability.markReachable(job.server.id)
        job.end()
      } catch (error) {
        fail(job, error)
      } finally {
        running.delete(job)
        if (isOnlyDue) rest(Math.min(lag.end() * REST_FACTOR, MAX_REST_MS))
      }
    },
    probe: async (job) => {
      probing.add(job)
      const server = reachability.of(job.server.id)
      const late = new AbortController()
      const timer = server.failures === 0 ? setTimeout(() => late.abort(), FIRST_PROBE_MS) : undefined
      try {
        await probe(runOf(job, AbortSignal.any([signal, late.signal])))
        server.state = 'probed'
      } catch (error) {
        fail(job, late.signal.aborted && !signal.aborted ? noAnswer(job) : error)
      } finally {
        clearTimeout(timer)
        probing.delete(job)
      }
    },
  }
}

const noAnswer = ({ server }: Job): ServerUnreachable =>
  new ServerUnreachable('connect', `The server ${server.name} did not answer within ${FIRST_PROBE_MS / 1000} seconds`)
