// Follows the output of an environment over connections that end: each goes on a little before the last line, and no line comes twice.
import { setTimeout as pause } from 'node:timers/promises'
import { isTransient } from '../http/api-failure.ts'
import type { LogLine } from './log-line.ts'
import type { LogRequest } from './log-request.ts'
import type { SessionEnd } from './read-session.ts'
import { SeenLines } from './seen-lines.ts'
import { READER_EXIT } from './session-failure.ts'

export type FollowSessions = {
  readonly request: LogRequest
  readonly signal: AbortSignal
  readonly pace: { readonly retryMs: number; readonly patienceMs: number }
  session(request: LogRequest, onLine: (line: LogLine) => void): Promise<SessionEnd>
  onLine(line: LogLine): void
  /** The connection is gone, and is tried again. */
  onLost(): void
}

/** Returns when the signal is aborted, or with the end that no further try will mend. */
export async function followSessions(follow: FollowSessions): Promise<SessionEnd | undefined> {
  const { signal, pace, session, onLine, onLost } = follow
  let { request } = follow
  const seen = new SeenLines({ leavesOut: request.tail !== undefined })
  let heardAt: number | undefined
  for (;;) {
    seen.beginConnection()
    const begun = performance.now()
    const from = Math.floor(Date.now() / 1000) - CLOCKS_DIFFER_SECONDS
    const end = await session(request, (line) => {
      heardAt = performance.now()
      if (seen.add(line)) onLine(line)
    }).catch((error: unknown) => {
      if (signal.aborted || heardAt === undefined || !isTransient(error)) throw error
      return { code: READER_EXIT.ssh, said: '' }
    })
    if (signal.aborted) return undefined
    const isDue = end.code === READER_EXIT.reconnect
    if (isDue || performance.now() - begun > SURELY_CONNECTED_MS) heardAt = performance.now()
    if (!isDue && end.code !== READER_EXIT.ssh) return end
    if (heardAt === undefined || performance.now() - heardAt > pace.patienceMs) return end
    // Ctrl-C ends ssh as well, perhaps before it is heard of here.
    await pause(isDue ? 0 : 100)
    if (signal.aborted) return undefined
    if (!isDue) onLost()
    request = { ...request, since: seen.resumeFrom ?? request.since ?? from, tail: undefined }
    await pause(isDue ? 0 : pace.retryMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return undefined
  }
}

/** ssh gives up to connect before that. */
const SURELY_CONNECTED_MS = 20_000
const CLOCKS_DIFFER_SECONDS = 5
