// Sends a request with an idempotency key, and repeats it if no response came. The platform executes it once.
import { setTimeout as pause } from 'node:timers/promises'
import { isApiError, isNoAnswer } from './api-failure.ts'

export async function sendIdempotent<Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (const ms of PAUSES_MS) {
    try {
      return await send()
    } catch (error) {
      if (signal.aborted || !mayHaveArrived(error)) throw error
    }
    await pause(ms, undefined, { signal })
  }
  return send()
}

const PAUSES_MS = [500, 2_000, 5_000]

/** The request may have arrived, but no response says so. */
function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return error.code === 'request_in_progress'
  return isNoAnswer(error) && !wasNeverSent(error.cause)
}

/** A wrong address, or a platform that is not running: reported at once, without a retry. */
function wasNeverSent(cause: unknown): boolean {
  const code: unknown = Object(Object(cause).cause).code
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}
