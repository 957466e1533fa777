// When which job has its turn. Few run at once, and one at a time on a server; what was asked for goes before what is merely due, and that
// is spread over time. A server that did not answer last time is first listened to, which takes no process, and may hold few places.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CommandStopped, ConnectionLost, ServerUnreachable } from '../../remote/host.ts'
import type { At, Job } from './look.ts'
import type { Place, Places } from './places.ts'

/** Jobs at work at once, and of these on servers that were out of reach when they were last looked at. */
const AT_ONCE = 4
const DOUBTFUL_AT_ONCE = 2
/** Servers that are listened to at once. */
const LISTENED_TO_AT_ONCE = 64
/** Between two beginnings of what is merely due. */
const PACE_MS = 250
/** A connection that nobody uses is kept for as long. */
const FRESH_MS = 60_000
/** A wall clock may jump: whatever is due later is asked for again at the latest then. */
const LONGEST_WAIT_MS = 60_000

export type Pace = {
  /** Begins what can begin, now and later. */
  go(): void
  stop(): Promise<void>
}

type Parts = {
  readonly jobs: () => Iterable<Job>
  readonly places: Places
  readonly now: () => number
  readonly listen: (at: At) => Promise<void>
  readonly at: (job: Job, signal: AbortSignal) => At
}

export function createPace({ jobs, places, now, listen, at }: Parts): Pace {
  const stopper = new AbortController()
  const running = new Set<Promise<void>>()
  const working = new Set<Job>()
  let listening = 0
  let timer: NodeJS.Timeout | undefined
  let pacing: NodeJS.Timeout | undefined

  /** One that there is no connection to any more may have fallen silent since. */
  const isHeard = (job: Job, { state, answeredAt }: Place): boolean =>
    job.server.connection === 'local' || state === 'heard' || (state === 'answering' && now() - answeredAt < FRESH_MS)

  const isOpen = (job: Job, place: Place): boolean => {
    if (working.size >= AT_ONCE || (!job.isWanted && pacing !== undefined)) return false
    const others = [...working]
    if (others.filter(({ kind }) => kind === job.kind).length >= job.kind.atOnce) return false
    const isDoubtful = (one: Job): boolean => places.of(one.server.id).failures > 0
    return place.failures === 0 || others.filter(isDoubtful).length < DOUBTFUL_AT_ONCE
  }

  /** The next job that may begin, and when the next one is due where there is none. */
  const pick = (): { readonly job?: Job; readonly waitMs: number } => {
    const time = now()
    let best: Job | undefined
    let waitMs = Number.POSITIVE_INFINITY
    for (const job of jobs()) {
      const place = places.of(job.server.id)
      const readyAt = Math.max(job.isWanted ? 0 : job.dueAt, job.pausedUntil, place.quietUntil)
      if (readyAt > time) waitMs = Math.min(waitMs, readyAt - time)
      else if (place.isBusy) continue
      else if (!isHeard(job, place)) {
        if (listening < LISTENED_TO_AT_ONCE) return { job, waitMs }
      } else if (isOpen(job, place) && (!best || isBefore(job, best))) best = job
    }
    return best ? { job: best, waitMs } : { waitMs }
  }

  const go = (): void => {
    clearTimeout(timer)
    if (stopper.signal.aborted) return
    for (;;) {
      const { job, waitMs } = pick()
      if (!job) {
        if (waitMs !== Number.POSITIVE_INFINITY) timer = setTimeout(go, Math.min(Math.max(waitMs, 20), LONGEST_WAIT_MS))
        return
      }
      begin(job, places.of(job.server.id))
    }
  }

  const begin = (job: Job, place: Place): void => {
    place.isBusy = true
    const one = (isHeard(job, place) ? work(job) : hear(job)).finally(() => {
      place.isBusy = false
      running.delete(one)
      go()
    })
    running.add(one)
  }

  const hear = async (job: Job): Promise<void> => {
    listening += 1
    try {
      await listen(at(job, stopper.signal))
      places.of(job.server.id).state = 'heard'
    } catch (error) {
      settle(job, error)
    } finally {
      listening -= 1
    }
  }

  const work = async (job: Job): Promise<void> => {
    working.add(job)
    if (!job.isWanted) pacing ??= setTimeout(endPace, PACE_MS)
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
    }
  }
  const endPace = (): void => {
    pacing = undefined
    go()
  }

  const settle = (job: Job, error: unknown): void => {
    const isOutOfReach = error instanceof ServerUnreachable || error instanceof ConnectionLost
    if (isOutOfReach && !stopper.signal.aborted) places.wasOutOfReach(job.server.id, error)
    job.isWanted = false
    job.end({ error, isOutOfReach })
  }

  return {
    go,
    stop: async () => {
      stopper.abort()
      clearTimeout(timer)
      clearTimeout(pacing)
      await Promise.all(running)
    },
  }
}

function isBefore(one: Job, other: Job): boolean {
  return one.isWanted === other.isWanted ? one.dueAt < other.dueAt : one.isWanted
}
