// Starts jobs when they may start (choose-job.ts says which) and wakes up for the next one. One job at a time runs on a server.
import { createAlarm } from '../../../scheduling/alarm.ts'
import { createJobChooser } from './choose-job.ts'
import type { Reachability } from './reachability.ts'
import { createJobRunner } from './run-job.ts'
import type { Job, JobRun } from './server-job.ts'

/** Minimum time between two passes over all jobs, and probes started in one pass: no request waits for more than that. */
const PASS_MS = 25
const PROBES_PER_PASS = 4
/** A wall clock may jump, so due times are read again at least this often. */
const MAX_SLEEP_MS = 60_000

export type JobScheduler = {
  /** Starts what may start, soon and whenever more becomes due. */
  schedule(): void
  stop(): Promise<void>
}

type Options = {
  readonly jobs: () => Iterable<Job>
  readonly reachability: Reachability
  readonly now: () => number
  readonly probe: (run: JobRun) => Promise<void>
  readonly runOf: (job: Job, signal: AbortSignal) => JobRun
}

export function createJobScheduler({ jobs, reachability, now, probe, runOf }: Options): JobScheduler {
  const stopper = new AbortController()
  const running = new Set<Promise<void>>()
  const alarm = createAlarm(() => pass())
  const runner = createJobRunner({ reachability, probe, runOf, signal: stopper.signal })
  const chooser = createJobChooser({ jobs, reachability, now, runner })
  let passedAt = 0

  const pass = (): void => {
    passedAt = performance.now()
    let { best, isMore, waitMs } = chooser.choose({ maxProbes: PROBES_PER_PASS, startProbe })
    while (best) {
      begin(best, runner.run)
      best = chooser.choose({ maxProbes: 0, startProbe }).best
    }
    if (runner.restMs() > 0) waitMs = Math.min(waitMs, runner.restMs())
    if (isMore) schedule()
    else if (waitMs !== Infinity) passWithin(Math.min(waitMs, MAX_SLEEP_MS))
  }
  const passWithin = (milliseconds: number): void => {
    if (!stopper.signal.aborted) alarm.within(Math.max(milliseconds, passedAt + PASS_MS - performance.now()))
  }
  const schedule = (): void => passWithin(0)

  const begin = (job: Job, action: (job: Job) => Promise<void>): void => {
    const server = reachability.of(job.server.id)
    server.isBusy = true
    const one = action(job).finally(() => {
      server.isBusy = false
      running.delete(one)
      schedule()
    })
    running.add(one)
  }
  const startProbe = (job: Job): void => begin(job, runner.probe)

  return {
    schedule,
    stop: async () => {
      stopper.abort()
      alarm.clear()
      await Promise.all(running)
    },
  }
}
