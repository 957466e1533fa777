// The live channel for a reader: messages of its topics, each once and in order, across reconnects.
import type { ClientOptions } from '../client-request.ts'
import type { LiveOutputOptions, LivePosition, LiveTopic } from '../live.ts'
import { connect } from './connect.ts'
import type { Connection, Ending } from './connection.ts'
import { type Pace, USUAL_PACE } from './pace.ts'
import { ReconnectPolicy } from './reconnect-policy.ts'
import { Subscriptions, type TopicMessage } from './subscriptions.ts'
import { unlessEnded } from './unless-ended.ts'

type WantedTopic = {
  readonly topic: LiveTopic
  readonly since?: LivePosition | undefined
  /** For `environment:{id}:output` alone. */
  readonly options?: LiveOutputOptions | undefined
}

export type LiveReading = {
  /** With `since`, what came after that position; otherwise a record as it is now, and a log from its first byte on. */
  readonly topics?: readonly (LiveTopic | WantedTopic)[]
  readonly signal?: AbortSignal | undefined
}

/** Given when the connection changes. `idle`: nothing is subscribed. `slow`: the reader was too slow; it resumes from its last message. */
export type LiveConnection =
  | { readonly type: 'connection'; readonly state: 'online' }
  | { readonly type: 'connection'; readonly state: 'offline'; readonly reason: Ending }

export type LiveUpdate = LiveConnection | TopicMessage

/**
 * Connects when it is iterated over, which can be done once: each message belongs to one reader. Ends with `close`, and rejects with
 * the reason of the signal. What waiting cannot mend is thrown: an `ApiError` (sign in again at 401), or `NoAnswer` where
 * the first connection fails for about a minute. Later breaks are reported as `connection`, and the client reconnects for as long as it takes.
 */
export type Live = AsyncIterable<LiveUpdate> & {
  /** A topic that is subscribed to already is left as it is. */
  readonly subscribe: (topic: LiveTopic, since?: LivePosition, options?: LiveOutputOptions) => void
  /** From now on nothing of the topic is given but `unsubscribed`, where the platform confirms it. */
  readonly unsubscribe: (topic: LiveTopic) => void
  readonly close: () => void
}

export function openLive(options: ClientOptions, { topics = [], signal }: LiveReading, pace = USUAL_PACE): Live {
  const end = new AbortController()
  const subscriptions = new Subscriptions()
  for (const wanted of topics) {
    if (typeof wanted === 'string') subscriptions.add(wanted)
    else subscriptions.add(wanted.topic, wanted.since, wanted.options)
  }
  const close = (): void => end.abort()
  let isRead = false
  return {
    subscribe: (topic, since, options) => subscriptions.add(topic, since, options),
    unsubscribe: (topic) => subscriptions.remove(topic),
    close,
    [Symbol.asyncIterator]: () => {
      if (isRead) throw new Error('The live channel is being read already. Open another one for another reader')
      isRead = true
      const updates = readUntilEnded(options, subscriptions, { pace, end, signal })
      return {
        next: () => updates.next(),
        // A reader that leaves does not wait for the message that it awaits.
        return: () => {
          close()
          return updates.return()
        },
      }
    },
  }
}

type Reading = { readonly pace: Pace; readonly end: AbortController; readonly signal: AbortSignal | undefined }

async function* readUntilEnded(
  options: ClientOptions,
  subscriptions: Subscriptions,
  { pace, end, signal }: Reading,
): AsyncGenerator<LiveUpdate, void, undefined> {
  const ended = end.signal
  if (signal?.aborted) end.abort()
  else signal?.addEventListener('abort', () => end.abort(), { signal: ended })
  try {
    yield* readUpdates(options, subscriptions, { pace, ended })
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (!ended.aborted) throw error
  } finally {
    end.abort()
  }
}

/** Connects, hands on what comes until the connection ends, and begins again. */
async function* readUpdates(
  options: ClientOptions,
  subscriptions: Subscriptions,
  until: { readonly pace: Pace; readonly ended: AbortSignal },
): AsyncGenerator<LiveUpdate, never, undefined> {
  const reconnects = new ReconnectPolicy(options, until)
  let hasReportedOffline = false
  for (;;) {
    await unlessEnded(subscriptions.wanted(), until.ended)
    const attempt = await connect(options, until)
    const { connection } = attempt
    if (connection?.lastedMs !== undefined) {
      hasReportedOffline = false
      yield* readConnection(connection, subscriptions)
    }
    if (!hasReportedOffline) yield { type: 'connection', state: 'offline', reason: connection?.ending ?? 'lost' }
    hasReportedOffline = true
    await reconnects.afterwards(attempt)
  }
}

async function* readConnection(
  connection: Connection,
  subscriptions: Subscriptions,
): AsyncGenerator<LiveUpdate, void, undefined> {
  subscriptions.attach((request) => connection.send(request))
  try {
    yield { type: 'connection', state: 'online' }
    for (let text = await connection.next(); text !== undefined; text = await connection.next()) {
      yield* subscriptions.take(text)
    }
  } finally {
    subscriptions.detach()
  }
}
