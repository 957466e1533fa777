// Tries again while a server is out of reach: what may be repeated is worth waiting for, up to a quarter of an hour.
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionLost, ServerUnreachable } from '../remote/host.ts'

const PATIENCE_MS = 15 * 60_000
const BETWEEN_MS = 2_000

/** A server that refuses us, or is not the one it should be, will not become another by waiting. */
export async function patiently<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (true) {
    try {
      return await work()
    } catch (error) {
      const isPassing =
        error instanceof ConnectionLost || (error instanceof ServerUnreachable && error.stage === 'connect')
      if (!isPassing || performance.now() >= giveUpAt) throw error
    }
    await pause(BETWEEN_MS, undefined, { signal })
  }
}
