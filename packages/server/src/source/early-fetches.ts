/**
 * Prefetches a commit as soon as a git host reports it, so that it is there when its deployment needs it. This is only an optimization: a
 * deployment itself fetches whatever was not prefetched, or differs from the reported commit.
 */

import { Busy, limitConcurrency } from '../scheduling/limit-concurrency.ts'
import { createSerializer } from '../scheduling/serialize.ts'
import type { Commit } from './mirror.ts'
import { SourceError } from './source-error.ts'

type Fetch = (signal: AbortSignal) => Promise<Commit>

/** A branch of the repository at that address: the project's address may have changed by now. */
type BranchAtAddress = { readonly projectId: number; readonly address: string; readonly branch: string }

type Early = BranchAtAddress & { readonly endedAt: number; readonly end: Commit | SourceError }

/** Later, the branch may have moved without a report. */
const GOOD_FOR_MS = 60_000
/** Limits what a flood of deliveries can start. */
const AT_ONCE = 4

export function createEarlyFetches() {
  const latest = new Map<number, Early>()
  const underWay = new Set<number>()
  const serializer = createSerializer()
  const inTurn = limitConcurrency({ concurrency: AT_ONCE, maxQueued: 0 })
  const stopper = new AbortController()

  const fetchNow = async (place: BranchAtAddress, fetch: Fetch): Promise<void> => {
    const keep = (end: Early['end']): void =>
      void latest.set(place.projectId, { ...place, endedAt: performance.now(), end })
    latest.delete(place.projectId)
    await inTurn(() => fetch(stopper.signal)).then(keep, (error: unknown) => {
      if (error instanceof SourceError && error.code === 'timed_out') keep(error)
      if (!(error instanceof Busy)) throw error
    })
  }

  return {
    /** Does nothing if the project already has a fetch, or if too many run. Rejects as the fetch does. */
    start: async (place: BranchAtAddress, fetch: Fetch): Promise<void> => {
      const { projectId } = place
      if (stopper.signal.aborted || underWay.has(projectId)) return
      underWay.add(projectId)
      await serializer.run(projectId, () => fetchNow(place, fetch)).finally(() => underWay.delete(projectId))
    },

    /** The reported commit, if it was fetched as the newest of its branch a moment ago. Waits for a running fetch. */
    result: (place: BranchAtAddress, sha: string, signal?: AbortSignal): Promise<Commit | undefined> => {
      const { projectId, address, branch } = place
      const find = async (): Promise<Commit | undefined> => {
        const early = latest.get(projectId)
        if (early?.address !== address || early.branch !== branch) return undefined
        if (performance.now() - early.endedAt > GOOD_FOR_MS) return undefined
        const { end } = early
        if (!(end instanceof SourceError)) return end.sha === sha ? end : undefined
        // The deployment has waited for as long as its own fetch may take.
        latest.delete(projectId)
        throw end
      }
      return serializer.run(projectId, find, signal)
    },

    forget: (projectId: number): void => void latest.delete(projectId),

    /** Ends running fetches. */
    close: (): void => stopper.abort(),
  }
}
