// One connection to a log that is followed: server-sent events in, pieces of output out.
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { unexpectedAnswer } from './api-error.ts'
import type { ClientOptions } from './client-request.ts'
import { sendRequest } from './send-request.ts'
import { LogEnd, type LogOutput, taskRoutes } from './tasks.ts'

export type LogEvent = ({ readonly type: 'output' } & LogOutput) | ({ readonly type: 'end' } & LogEnd)

export type LogStream = {
  readonly host: string
  readonly messages: ReadableStream<EventSourceMessage>
  /** How long to wait before connecting again, as the platform asked last. */
  retryMs: number
}

type Place = { readonly id: number; readonly offset: number; readonly signal: AbortSignal | undefined }

const USUAL_RETRY_MS = 2_000
/** Many times what the platform puts into one event. */
const MOST_EVENT_CHARACTERS = 4 * 1024 * 1024

export function openLogStream(options: ClientOptions, { id, offset, signal }: Place): Promise<LogStream> {
  const request = { params: { id }, query: { follow: '1', offset }, signal }
  return sendRequest(options, { route: taskRoutes.readTaskLog, request }, (response, host) => {
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isEvents || !response.body) throw unexpectedAnswer(response.status, host)
    const parser = new EventSourceParserStream({
      maxBufferSize: MOST_EVENT_CHARACTERS,
      onRetry: (retryMs) => {
        stream.retryMs = retryMs
      },
    })
    const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)
    const stream: LogStream = { host, messages, retryMs: USUAL_RETRY_MS }
    return stream
  })
}

/** Ends without `end` where the connection breaks or is closed. Events that this release does not know are left out. */
export async function* readLogEvents(
  { messages, host }: LogStream,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogEvent, void, undefined> {
  // A reader and no `for await`: not every browser can iterate over a stream.
  const reader = messages.getReader()
  try {
    for (;;) {
      const { done, value } = await readNext(reader, signal)
      if (done) return
      if (value.event === 'output') yield outputOf(value, host)
      if (value.event === 'end') yield endOf(value, host)
    }
  } finally {
    // Closes the connection where the caller stops early. One that broke refuses, with nothing left to close.
    await reader.cancel().catch(() => undefined)
  }
}

async function readNext(
  reader: ReadableStreamDefaultReader<EventSourceMessage>,
  signal: AbortSignal | undefined,
): Promise<ReadableStreamReadResult<EventSourceMessage>> {
  try {
    return await reader.read()
  } catch (error) {
    if (signal?.aborted) throw error
    return { done: true, value: undefined }
  }
}

function outputOf({ id = '', data }: EventSourceMessage, host: string): LogEvent {
  if (!/^[0-9]{1,15}$/.test(id)) throw unexpectedAnswer(200, host)
  return { type: 'output', offset: Number(id), text: data }
}

function endOf({ data }: EventSourceMessage, host: string): LogEvent {
  try {
    return { type: 'end', ...LogEnd.parse(JSON.parse(data)) }
  } catch {
    throw unexpectedAnswer(200, host)
  }
}
