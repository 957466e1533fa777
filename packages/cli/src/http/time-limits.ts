// fetch with limits on the time until a response begins, on silence within it, and on its size.
import { MOST_BYTES, MOST_JSON_BYTES, TooLarge } from './answer-limits.ts'

export type Limits = {
  /** How long the answer may take to begin. */
  readonly answerMs: number
  /** How long it may be silent once it has begun; a log that is followed says something every 15 seconds. */
  readonly silenceMs: number
}

/** A file is sent before the answer can begin. */
const UPLOAD_MS = 15 * 60_000

export const DEFAULT_LIMITS: Limits = { answerMs: 120_000, silenceMs: 45_000 }

/** `interrupt` ends every request, beside the signal that each may have of its own. */
export function limitTime(send: typeof fetch, limits: Limits = DEFAULT_LIMITS, interrupt?: AbortSignal): typeof fetch {
  return async (input, init) => {
    const late = new AbortController()
    const signal = AbortSignal.any([late.signal, init?.signal, interrupt].filter((each) => each instanceof AbortSignal))
    const answerMs = init?.body instanceof Blob ? UPLOAD_MS : limits.answerMs
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${answerMs} ms`)), answerMs)
    try {
      const response = await send(input, { ...init, signal })
      return response.body ? withIdleTimeout(response, (reason) => late.abort(reason), limits) : response
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Aborts the response if the next chunk takes too long, or if it is too large. */
function withIdleTimeout(response: Response, giveUp: (reason: Error) => void, { silenceMs }: Limits): Response {
  const most = mostBytesOf(response.headers.get('content-type') ?? '')
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    clearTimeout(timer)
    // The connection keeps the process alive; the timer should not.
    timer = setTimeout(() => giveUp(new Error('the answer stopped')), silenceMs).unref()
  }
  wait()
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      wait()
      bytes += piece.length
      if (bytes > most) giveUp(TooLarge())
      else controller.enqueue(piece)
    },
    flush: () => clearTimeout(timer),
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(watched) ?? null, { status, statusText, headers })
}

/** Files are streamed to disk, so their size is not limited here. */
function mostBytesOf(contentType: string): number {
  if (/^(text\/event-stream|application\/octet-stream)/.test(contentType)) return Number.POSITIVE_INFINITY
  return /\bjson\b/.test(contentType) ? MOST_JSON_BYTES : MOST_BYTES
}
