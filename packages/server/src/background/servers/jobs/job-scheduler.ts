// When which job has its turn. Few run at once, and one at a time on a server; what was asked for goes before what is merely due, and that
// is spread over time, but for prompt kinds, which have places of their own. A server that did not answer last time is first listened to, which takes no process, and may hold few places.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CommandStopped, ServerUnreachable } from '../../../remote/host.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { watchLag } from '../../../scheduling/lag.ts'
import type { Reachability, ServerReachability } from './reachability.ts'
import { type At, isOutOfReach, type Job } from './server-job.ts'

/** Jobs at work at once, and of these on servers that were out of reach when they were last looked at. */
const AT_ONCE = 4
const DOUBTFUL_AT_ONCE = 2
/** Servers that are listened to at once, and of these such that were out of reach. */
const LISTENED_TO_AT_ONCE = 128
const DOUBTFUL_LISTENED_TO = 64
/** After a start nothing is known of any: those that are there speak soon, and the others must not hold them up. */
const FIRST_PATIENCE_MS = 3_000
/** Between two beginnings of what is merely due, and between two such servers that are listened to. */
const PACE_MS = 1_000
const KNOCK_PACE_MS = 100
/** What is merely due makes requests wait for a small part of the time: it rests for so many times as long as it has stopped them. */
const REST_SHARE = 300
const LONGEST_REST_MS = 3_000
/** Between two times that all jobs are gone through, and how many are begun to listen to in one: no request waits for more than that. */
const PASS_MS = 25
const HEARD_IN_A_PASS = 4
/** A connection that nobody uses is kept for as long. */
const FRESH_MS = 60_000
/** A wall clock may jump: whatever is due later is asked for again at the latest then. */
const LONGEST_WAIT_MS = 60_000

export type JobScheduler = {
  /** Begins what can begin, now and later. */
  go(): void
  stop(): Promise<void>
}

type Parts = {
  readonly jobs: () => Iterable<Job>
  readonly places: Reachability
  readonly now: () => number
  readonly listen: (at: At) => Promise<void>
  readonly at: (job: Job, signal: AbortSignal) => At
}

export function createJobScheduler({ jobs, places, now, listen, at }: Parts): JobScheduler {
  const stopper = new AbortController()
  const running = new Set<Promise<void>>()
  const working = new Set<Job>()
  const listening = new Set<Job>()
  const alarm = createAlarm(() => pass())
  let passedAt = 0
  let restsUntil = 0
  let nextKnockAt = 0
  const lag = watchLag()

  /** One that there is no connection to any more may have fallen silent since. */
  const isHeard = (job: Job, { state, answeredAt }: ServerReachability): boolean =>
    job.server.connection === 'local' || state === 'heard' || (state === 'answering' && now() - answeredAt < FRESH_MS)

  const isOpen = (job: Job, place: ServerReachability): boolean => {
    if (!job.kind.isPrompt && (countPaced() >= AT_ONCE || (!job.isWanted && restMs() > 0))) return false
    if ([...working].filter(({ kind }) => kind === job.kind).length >= job.kind.atOnce) return false
    return place.failures === 0 || countDoubtful(working) < DOUBTFUL_AT_ONCE
  }
  const countPaced = (): number => [...working].filter(({ kind }) => !kind.isPrompt).length
  const mayListen = (place: ServerReachability): boolean =>
    listening.size < LISTENED_TO_AT_ONCE && (place.failures === 0 || countDoubtful(listening) < DOUBTFUL_LISTENED_TO)
  const countDoubtful = (some: ReadonlySet<Job>): number =>
    [...some].filter(({ server }) => places.of(server.id).failures > 0).length

  /** Goes through all jobs once. Listening begins here; what may be worked at comes back, of several the one whose turn it is. */
  const goThrough = (mostToHear: number): { best?: Job; isMore: boolean; waitMs: number } => {
    const time = now()
    let [best, heard, isMore, waitMs]: [Job | undefined, number, boolean, number] = [undefined, 0, false, Infinity]
    for (const job of jobs()) {
      const place = places.of(job.server.id)
      const readyAt = Math.max(job.isWanted ? 0 : job.dueAt, job.pausedUntil, place.quietUntil)
      if (readyAt > time) waitMs = Math.min(waitMs, readyAt - time)
      else if (place.isBusy) continue
      else if (isHeard(job, place)) best = isOpen(job, place) && (!best || isBefore(job, best)) ? job : best
      else if (mayListen(place)) {
        const waitForKnock = job.isWanted ? 0 : nextKnockAt - performance.now()
        if (waitForKnock > 0) waitMs = Math.min(waitMs, waitForKnock)
        else if (heard >= mostToHear) isMore = true
        else {
          if (!job.isWanted) nextKnockAt = performance.now() + KNOCK_PACE_MS
          heard += 1
          begin(job, place)
        }
      }
    }
    return { ...(best && { best }), isMore, waitMs }
  }

  const pass = (): void => {
    passedAt = performance.now()
    let { best, isMore, waitMs } = goThrough(HEARD_IN_A_PASS)
    while (best) {
      begin(best, places.of(best.server.id))
      best = goThrough(0).best
    }
    if (restMs() > 0) waitMs = Math.min(waitMs, restMs())
    if (isMore) go()
    else if (waitMs !== Infinity) passWithin(Math.min(waitMs, LONGEST_WAIT_MS))
  }
  const passWithin = (milliseconds: number): void => {
    if (!stopper.signal.aborted) alarm.within(Math.max(milliseconds, passedAt + PASS_MS - performance.now()))
  }
  const go = (): void => passWithin(0)

  const begin = (job: Job, place: ServerReachability): void => {
    place.isBusy = true
    const one = (isHeard(job, place) ? work(job) : hear(job)).finally(() => {
      place.isBusy = false
      running.delete(one)
      go()
    })
    running.add(one)
  }

  const hear = async (job: Job): Promise<void> => {
    listening.add(job)
    const place = places.of(job.server.id)
    const late = new AbortController()
    const timer = place.failures === 0 ? setTimeout(() => late.abort(), FIRST_PATIENCE_MS) : undefined
    try {
      await listen(at(job, AbortSignal.any([stopper.signal, late.signal])))
      place.state = 'heard'
    } catch (error) {
      settle(job, late.signal.aborted && !stopper.signal.aborted ? saidNothing(job) : error)
    } finally {
      clearTimeout(timer)
      listening.delete(job)
    }
  }

  const work = async (job: Job): Promise<void> => {
    working.add(job)
    const isMerelyDue = !job.isWanted && !job.kind.isPrompt
    if (isMerelyDue) {
      rest(PACE_MS)
      lag.begin()
    }
    // What is asked for from here on makes one more.
    job.isWanted = false
    try {
      // The embedded database answers at once: without this, looks that only read would let no request in between.
      await nextTurn()
      if (stopper.signal.aborted) throw new CommandStopped('aborted')
      await job.run(at(job, stopper.signal))
      places.answered(job.server.id)
      job.end()
    } catch (error) {
      settle(job, error)
    } finally {
      working.delete(job)
      if (isMerelyDue) rest(Math.min(lag.end() * REST_SHARE, LONGEST_REST_MS))
    }
  }
  /** For at least so long, nothing begins that is merely due. */
  const rest = (milliseconds: number): void => {
    restsUntil = Math.max(restsUntil, performance.now() + milliseconds)
  }
  const restMs = (): number => restsUntil - performance.now()

  const settle = (job: Job, error: unknown): void => {
    if (isOutOfReach(error) && !stopper.signal.aborted) places.wasOutOfReach(job.server.id, error)
    job.isWanted = false
    job.end({ error, isOutOfReach: isOutOfReach(error) })
  }

  return {
    go,
    stop: async () => {
      stopper.abort()
      alarm.clear()
      await Promise.all(running)
    },
  }
}

const saidNothing = ({ server }: Job): ServerUnreachable =>
  new ServerUnreachable('connect', `The server ${server.name} said nothing within ${FIRST_PATIENCE_MS / 1000} seconds`)

function isBefore(one: Job, other: Job): boolean {
  const [isOneAsked, isOtherAsked] = [isAsked(one), isAsked(other)]
  return isOneAsked === isOtherAsked ? one.dueAt < other.dueAt : isOneAsked
}

const isAsked = ({ isWanted, kind }: Job): boolean => isWanted || kind.isPrompt === true
