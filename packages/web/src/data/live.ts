// The live channel: one connection, subscribed to the topics of everything on the page.
import {
  ApiError,
  type LiveMessage,
  type LiveOutputOptions,
  type LiveTopic,
  type LiveUpdate,
  NoAnswer,
} from '@shipway/api'
import { useEffect } from 'react'
import { applyEvent } from './apply-event.ts'
import { cache } from './cache.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { observable } from './observable.ts'
import { TimeSlicer } from './time-slicer.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>
export type ConnectionState = 'connecting' | 'online' | 'offline' | 'signed_out'
type Listener = (update: LiveUpdate) => void

/** Unsubscribes late, because the next page often needs the same topic. */
const LINGER_MS = 2_000

const subscribers = new Map<LiveTopic, number>()
/** Which lines the reader of service logs wants. Such a topic has one subscriber. */
const outputOptions = new Map<LiveTopic, LiveOutputOptions>()
const listeners = new Map<LiveTopic, Set<Listener>>()
const state = observable<ConnectionState>('connecting')
let channel = client.live()
let isReading = false
const slicer = new TimeSlicer()

export const useConnectionState = state.use

export function useTopics(topics: readonly LiveTopic[]): void {
  const names = topics.join(' ')
  useEffect(() => {
    const wanted = names === '' ? [] : (names.split(' ') as LiveTopic[])
    for (const topic of wanted) subscribe(topic)
    return () => {
      for (const topic of wanted) setTimeout(() => unsubscribe(topic), LINGER_MS)
    }
  }, [names])
}

/** All updates of a topic, for data outside of the cache: logs. `options` are for service logs. */
export function listen(topic: LiveTopic, listener: Listener, options?: LiveOutputOptions): () => void {
  const topicListeners = listeners.get(topic) ?? new Set()
  listeners.set(topic, topicListeners.add(listener))
  if (options) outputOptions.set(topic, options)
  subscribe(topic)
  return () => {
    topicListeners.delete(listener)
    if (topicListeners.size === 0) listeners.delete(topic)
    unsubscribe(topic)
  }
}

function subscribe(topic: LiveTopic): void {
  subscribers.set(topic, (subscribers.get(topic) ?? 0) + 1)
  channel.subscribe(topic, undefined, outputOptions.get(topic))
  if (!isReading) void read()
}

function unsubscribe(topic: LiveTopic): void {
  const left = (subscribers.get(topic) ?? 1) - 1
  if (left > 0) {
    subscribers.set(topic, left)
    return
  }
  subscribers.delete(topic)
  outputOptions.delete(topic)
  channel.unsubscribe(topic)
}

/** The channel reconnects by itself. It throws without a session, and if it never reached the platform. */
async function read(): Promise<void> {
  isReading = true
  for (;;) {
    try {
      // A flood of output arrives faster than it can be handled: input and painting come in between.
      for await (const update of channel) await slicer.run(() => handleUpdate(update))
      return
    } catch (error) {
      if (error instanceof ApiError) return signOut()
      if (!(error instanceof NoAnswer)) throw error
      state.set('offline')
      channel = client.live({
        topics: [...subscribers.keys()].map((topic) => ({ topic, options: outputOptions.get(topic) })),
      })
    }
  }
}

/** The query for the current user then answers 401, which redirects to the sign-in page. */
function signOut(): void {
  state.set('signed_out')
  void cache.invalidateQueries({ queryKey: keys.me })
}

function handleUpdate(update: LiveUpdate): void {
  if (update.type === 'connection') {
    state.set(update.state)
    return
  }
  if (update.topic !== null) for (const listener of listeners.get(update.topic) ?? []) listener(update)
  if (update.type === 'subscribed') onSubscribed(update)
  else if (update.type === 'event') applyEvent(cache, update)
  else if (update.type === 'unsubscribed' && update.id === null) onUnsubscribed(update.topic)
}

/** The record is gone, or the user has lost access: to one organization, or until two-factor codes are on. */
function onUnsubscribed(topic: LiveTopic): void {
  refetch(topic)
  void cache.invalidateQueries({ queryKey: keys.me })
}

/** Data fetched before the subscription may miss events in between. */
function onSubscribed({ topic, recovered, snapshot }: Subscribed): void {
  if (snapshot) applyEvent(cache, snapshot)
  if (!recovered) refetch(topic)
}

function refetch(topic: LiveTopic): void {
  void cache.invalidateQueries({ predicate: ({ meta }) => meta?.topic === topic })
}
