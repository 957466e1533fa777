// Follows logs across lost ssh sessions: each new session resumes a little before the last line, and no line is printed twice.
import { setTimeout as pause } from 'node:timers/promises'
import { SeenLines } from '@shipway/api/live-client/seen-lines'
import { isTransient } from '../http/api-failure.ts'
import type { RetryPolicy } from '../tasks/watch-task.ts'
import type { LogLine } from './log-line.ts'
import type { LogRequest } from './log-request.ts'
import type { SessionEnd } from './read-session.ts'
import { READER_EXIT } from './session-failure.ts'

export type FollowOptions = {
  readonly request: LogRequest
  readonly signal: AbortSignal
  readonly retry: RetryPolicy
  session(request: LogRequest, onLine: (line: LogLine) => void): Promise<SessionEnd>
  onLine(line: LogLine): void
  /** The connection was lost and will be retried. */
  onLost(): void
}

/** Returns undefined when the signal is aborted, or the end of a session that a retry cannot fix. */
export async function followSessions(follow: FollowOptions): Promise<SessionEnd | undefined> {
  const { signal, retry, session, onLine, onLost } = follow
  let { request } = follow
  const seen = new SeenLines({ skipsEarlier: request.tail !== undefined })
  let lastContactAt: number | undefined
  while (!signal.aborted) {
    seen.beginConnection()
    const startedAt = performance.now()
    const from = Math.floor(Date.now() / 1000) - CLOCKS_DIFFER_SECONDS
    const end = await session(request, (line) => {
      lastContactAt = performance.now()
      if (seen.add(line)) onLine(line)
    }).catch((error: unknown) => {
      if (signal.aborted || lastContactAt === undefined || !isTransient(error)) throw error
      return { code: READER_EXIT.ssh, stderr: '' }
    })
    const isPlanned = end.code === READER_EXIT.reconnect
    if (isPlanned || performance.now() - startedAt > SURELY_CONNECTED_MS) lastContactAt = performance.now()
    const isOver = lastContactAt === undefined || performance.now() - lastContactAt > retry.giveUpAfterMs
    if (!signal.aborted && (isOver || (!isPlanned && end.code !== READER_EXIT.ssh))) return end
    if (!isPlanned) await waitToRetry({ retryMs: retry.retryMs, signal, onLost })
    request = { ...request, since: seen.resumeFrom ?? request.since ?? from, tail: undefined }
  }
  return undefined
}

async function waitToRetry({ retryMs, signal, onLost }: Waiting): Promise<void> {
  // Ctrl-C also ends ssh, perhaps before the signal is aborted.
  await pause(INTERRUPT_MS)
  if (signal.aborted) return
  onLost()
  // It rejects only when the signal is aborted, which the caller checks.
  await pause(retryMs, undefined, { signal }).catch(() => undefined)
}

type Waiting = Pick<FollowOptions, 'signal' | 'onLost'> & Pick<RetryPolicy, 'retryMs'>

const INTERRUPT_MS = 100
/** ssh gives up connecting before that. */
const SURELY_CONNECTED_MS = 20_000
const CLOCKS_DIFFER_SECONDS = 5
