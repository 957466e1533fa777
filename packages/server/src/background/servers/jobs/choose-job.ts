// Chooses the job that runs next. Requested and urgent jobs come first; the others are spread over time. A server that did not answer lately
// is probed first, which starts no process, and such servers may occupy only a few slots.
import type { Reachability, ServerReachability } from './reachability.ts'
import type { JobRunner } from './run-job.ts'
import type { Job } from './server-job.ts'

/** Jobs that run at once, and how many of them on servers that were unreachable last time. */
const MAX_RUNNING = 4
const MAX_RUNNING_DOUBTFUL = 2
/** Servers that are probed at once, and how many of them were unreachable last time. */
const MAX_PROBES = 128
const MAX_PROBES_DOUBTFUL = 64
/** Between two probes for jobs that are only due. */
const PROBE_PACE_MS = 100
/** An unused connection is kept this long; after that the server may have fallen silent unnoticed. */
const FRESH_MS = 60_000

type Choice = {
  readonly best?: Job
  /** More servers could be probed now than `maxProbes` allowed. */
  readonly isMore: boolean
  /** Until the next job becomes ready; infinite if none will by itself. */
  readonly waitMs: number
}

type Options = {
  readonly jobs: () => Iterable<Job>
  readonly reachability: Reachability
  readonly now: () => number
  readonly runner: Pick<JobRunner, 'running' | 'probing' | 'restMs'>
}

type Pass = { readonly maxProbes: number; readonly startProbe: (job: Job) => void }

type JobChooser = { choose(pass: Pass): Choice }

export function createJobChooser({ jobs, reachability, now, runner }: Options): JobChooser {
  const { running, probing, restMs } = runner
  let nextProbeAt = 0

  const isReachable = (job: Job, { state, answeredAt }: ServerReachability): boolean =>
    job.server.connection === 'local' || state === 'probed' || (state === 'reachable' && now() - answeredAt < FRESH_MS)

  const mayRun = (job: Job, server: ServerReachability): boolean => {
    if (!job.kind.isUrgent && (countPaced() >= MAX_RUNNING || (!job.isRequested && restMs() > 0))) return false
    if ([...running].filter(({ kind }) => kind === job.kind).length >= job.kind.concurrency) return false
    return server.failures === 0 || countDoubtful(running) < MAX_RUNNING_DOUBTFUL
  }
  const countPaced = (): number => [...running].filter(({ kind }) => !kind.isUrgent).length
  const mayProbe = (server: ServerReachability): boolean =>
    probing.size < MAX_PROBES && (server.failures === 0 || countDoubtful(probing) < MAX_PROBES_DOUBTFUL)
  const countDoubtful = (some: ReadonlySet<Job>): number =>
    [...some].filter(({ server }) => reachability.of(server.id).failures > 0).length

  return {
    choose: ({ maxProbes, startProbe }) => {
      const time = now()
      let [best, probes, isMore, waitMs]: [Job | undefined, number, boolean, number] = [undefined, 0, false, Infinity]
      for (const job of jobs()) {
        const server = reachability.of(job.server.id)
        const readyAt = Math.max(job.isRequested ? 0 : job.dueAt, job.pausedUntil, server.backOffUntil)
        if (readyAt > time) waitMs = Math.min(waitMs, readyAt - time)
        else if (server.isBusy) continue
        else if (isReachable(job, server)) best = mayRun(job, server) && (!best || isBefore(job, best)) ? job : best
        else if (mayProbe(server)) {
          const untilProbeMs = job.isRequested ? 0 : nextProbeAt - performance.now()
          if (untilProbeMs > 0) waitMs = Math.min(waitMs, untilProbeMs)
          else if (probes >= maxProbes) isMore = true
          else {
            if (!job.isRequested) nextProbeAt = performance.now() + PROBE_PACE_MS
            probes += 1
            startProbe(job)
          }
        }
      }
      return { ...(best && { best }), isMore, waitMs }
    },
  }
}

function isBefore(one: Job, other: Job): boolean {
  const [isOneFirst, isOtherFirst] = [hasPriority(one), hasPriority(other)]
  return isOneFirst === isOtherFirst ? one.dueAt < other.dueAt : isOneFirst
}

const hasPriority = ({ isRequested, kind }: Job): boolean => isRequested || kind.isUrgent === true
