// Watches a new version: it must stay ready, and must not answer with more errors than the version before.
import type { Io } from '../command.ts'
import type { Probe, RequestCounts } from './probe.ts'

const EVERY_MS = 2_000
/** A busy machine may miss one. */
const MOST_MISSED = 3

type Watched = {
  readonly before: RequestCounts | undefined
  readonly probe: Probe
  readonly version: string
  readonly signal: AbortSignal
}

/** Why the version should not stay; undefined if it may. */
export async function watch(
  { config, say }: Pick<Io, 'config' | 'say'>,
  { before, probe, version, signal }: Watched,
): Promise<string | undefined> {
  say(`${version} serves. Watching it for ${config.upgradeWatchSeconds} s`)
  const end = performance.now() + config.upgradeWatchSeconds * 1000
  for (let missed = 0; performance.now() < end; ) {
    if (signal.aborted) return 'the upgrade was interrupted'
    const isReady = (await probe.readyVersion()) === version
    const now = await probe.countRequests()
    missed = isReady && now ? 0 : missed + 1
    if (missed === MOST_MISSED) return isReady ? 'its metrics cannot be read' : 'it stopped being ready'
    if (now && hasMoreErrors(before, now)) return `${now.errors} of its ${now.requests} answers were errors`
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  return undefined
}

const LEAST_ERRORS = 5
const LEAST_SHARE = 0.01

/** A few errors prove nothing, nor does a share that the version before had as well. */
export function hasMoreErrors(before: RequestCounts | undefined, now: RequestCounts): boolean {
  return now.errors >= LEAST_ERRORS && shareOf(now) > Math.max(LEAST_SHARE, 2 * shareOf(before))
}

const shareOf = (counts: RequestCounts | undefined): number =>
  counts === undefined || counts.requests === 0 ? 0 : counts.errors / counts.requests
