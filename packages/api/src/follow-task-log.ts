// Follows the log of a task as it is printed, over the live channel, to the end of the task.
import { ApiError, NoAnswer } from './api-error.ts'
import type { ClientOptions } from './client-request.ts'
import type { LiveTopic } from './live.ts'
import { type LiveUpdate, openLive } from './live-client/open-live.ts'
import { sendRequest } from './send-request.ts'
import { type LogEnd, type LogOutput, taskRoutes } from './tasks.ts'

export type FollowRequest = {
  readonly params: { readonly id: number }
  readonly signal?: AbortSignal | undefined
  /** How long the platform may be away, once it was reached; for as long as it takes unless given. */
  readonly giveUpAfterMs?: number | undefined
}

export type LogEvent = ({ readonly type: 'output' } & LogOutput) | ({ readonly type: 'end' } & LogEnd)

/**
 * Gives each piece of output once and in order, and `end` last. The live channel connects again where a connection breaks. What the
 * platform refuses, at first or then, is thrown as an `ApiError`.
 */
export async function* followTaskLog(
  options: ClientOptions,
  { params: { id }, signal, giveUpAfterMs }: FollowRequest,
): AsyncGenerator<LogEvent, void, undefined> {
  const away = new AbortController()
  const topics: readonly LiveTopic[] = [`task:${id}:log`, `task:${id}`]
  const live = openLive(options, { topics, signal: AbortSignal.any([away.signal, ...(signal ? [signal] : [])]) })
  let timer: ReturnType<typeof setTimeout> | undefined
  let offset = 0
  try {
    for await (const update of live) {
      if (update.type === 'connection') {
        clearTimeout(timer)
        const giveUp = (): void => away.abort(new NoAnswer(new URL(options.baseUrl).host, update))
        if (update.state === 'offline' && giveUpAfterMs !== undefined) timer = setTimeout(giveUp, giveUpAfterMs)
      }
      if (update.type === 'event' && update.event === 'log.append') {
        offset = update.data.offset
        yield { type: 'output', offset, text: withPlainLineEnds(update.data.text) }
      }
      if (update.type === 'error' || update.type === 'unsubscribed') throw await refusalOf(options, { id, signal })
      const end = endOf(update)
      if (end) return yield* endWith(options, { id, offset, signal }, end)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** How the task ended, where the update says that it did. */
function endOf(update: LiveUpdate): LogEnd | undefined {
  const event = update.type === 'subscribed' ? update.snapshot : update
  const task = event?.type === 'event' && event.event === 'task.updated' ? event.data : undefined
  return task && task.finished_at !== null ? { status: task.status, reason: task.reason } : undefined
}

type Unread = { readonly id: number; readonly offset: number; readonly signal: AbortSignal | undefined }

/** The end of the task may arrive before all of its output: the rest is read from the log. */
async function* endWith(
  options: ClientOptions,
  { id, offset, signal }: Unread,
  end: LogEnd,
): AsyncGenerator<LogEvent, void, undefined> {
  const request = { params: { id }, query: { offset }, signal }
  const text = await sendRequest(options, { route: taskRoutes.readTaskLog, request }, (response) => response.text())
  const endOffset = offset + new TextEncoder().encode(text).length
  if (text !== '') yield { type: 'output', offset: endOffset, text: withPlainLineEnds(text) }
  yield { type: 'end', ...end }
}

/** Every kind of line end is one to readers of a log. The platform sends no carriage return without what follows it. */
const withPlainLineEnds = (text: string): string => text.replaceAll(/\r\n|\r/g, '\n')

/** The live channel refuses a topic in one sentence; a request for the same log is refused with a problem that says more. */
async function refusalOf(options: ClientOptions, { id, signal }: Omit<Unread, 'offset'>): Promise<Error> {
  const request = { params: { id }, signal }
  await sendRequest(options, { route: taskRoutes.readTaskLog, request }, ({ body }) => body?.cancel())
  return new ApiError(404, `The log of task ${id} can be followed no longer. Try again`)
}
