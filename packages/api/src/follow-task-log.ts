// Follows the log of a task as it is printed: over breaks of the connection, to the end of the task.
import { mayPass } from './api-error.ts'
import type { ClientOptions } from './client-request.ts'
import { type LogEvent, type LogStream, openLogStream, readLogEvents } from './log-stream.ts'
import { pause } from './pause.ts'

export type FollowRequest = {
  readonly params: { readonly id: number }
  /** The byte to begin at: the first one, or the offset of the last output that was read earlier. */
  readonly query?: { readonly offset?: number | undefined } | undefined
  readonly signal?: AbortSignal | undefined
  /** How long to wait before connecting again; as long as the platform asks for unless given. */
  readonly retryMs?: number | undefined
}

/**
 * Gives each piece of output once and in order, and `end` last. Where a connection breaks, another one goes on after the last
 * piece that came whole. What the platform refuses, at first or then, is thrown as an `ApiError`.
 */
export async function* followTaskLog(
  options: ClientOptions,
  { params: { id }, query, signal, retryMs }: FollowRequest,
): AsyncGenerator<LogEvent, void, undefined> {
  let offset = query?.offset ?? 0
  const open = () => openLogStream(options, { id, offset, signal })
  let stream = await open()
  for (;;) {
    for await (const event of readLogEvents(stream, signal)) {
      if (event.type === 'output') offset = event.offset
      yield event
      if (event.type === 'end') return
    }
    stream = await openAgain(open, { pauseMs: retryMs ?? stream.retryMs, signal })
  }
}

const MOST_TRIES = 15

type Patience = { readonly pauseMs: number; readonly signal: AbortSignal | undefined }

async function openAgain(open: () => Promise<LogStream>, { pauseMs, signal }: Patience): Promise<LogStream> {
  for (let tries = 1; ; tries++) {
    await pause(pauseMs, signal)
    try {
      return await open()
    } catch (error) {
      if (tries === MOST_TRIES || !mayPass(error)) throw error
    }
  }
}
