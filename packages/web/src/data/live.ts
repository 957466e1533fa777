// The live channel of this page: one connection, whose topics are those that something on the page is about.
import { ApiError, type LiveMessage, type LiveTopic, type LiveUpdate, NoAnswer } from '@shipway/api'
import { useEffect } from 'react'
import { applyEvent } from './apply-event.ts'
import { cache } from './cache.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { watched } from './observable.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>
export type Connectedness = 'connecting' | 'online' | 'offline' | 'signed_out'
type Listener = (update: LiveUpdate) => void

/** Pages follow each other and often tell of the same records: a topic outlasts its last user for a moment. */
const LINGER_MS = 2_000

const users = new Map<LiveTopic, number>()
const listeners = new Map<LiveTopic, Set<Listener>>()
const state = watched<Connectedness>('connecting')
let channel = client.live()
let isReading = false

export const useConnectedness = state.use

export function useTopics(topics: readonly LiveTopic[]): void {
  const names = topics.join(' ')
  useEffect(() => {
    const wanted = names === '' ? [] : (names.split(' ') as LiveTopic[])
    for (const topic of wanted) hold(topic)
    return () => {
      for (const topic of wanted) setTimeout(() => release(topic), LINGER_MS)
    }
  }, [names])
}

/** Everything that is told of a topic, for what the cache does not hold: output. */
export function listen(topic: LiveTopic, listener: Listener): () => void {
  const heard = listeners.get(topic) ?? new Set()
  listeners.set(topic, heard.add(listener))
  hold(topic)
  return () => {
    heard.delete(listener)
    if (heard.size === 0) listeners.delete(topic)
    release(topic)
  }
}

function hold(topic: LiveTopic): void {
  users.set(topic, (users.get(topic) ?? 0) + 1)
  channel.subscribe(topic)
  if (!isReading) void read()
}

function release(topic: LiveTopic): void {
  const left = (users.get(topic) ?? 1) - 1
  if (left > 0) {
    users.set(topic, left)
    return
  }
  users.delete(topic)
  channel.unsubscribe(topic)
}

/** Breaks are mended by the channel itself. It gives up where nobody is signed in, and on a platform that it has never reached. */
async function read(): Promise<void> {
  isReading = true
  for (;;) {
    try {
      for await (const update of channel) take(update)
      return
    } catch (error) {
      if (error instanceof ApiError) return signOut()
      if (!(error instanceof NoAnswer)) throw error
      state.set('offline')
      channel = client.live({ topics: [...users.keys()] })
    }
  }
}

/** The platform says so itself when it is asked who is here, and that leads to the sign-in page. */
function signOut(): void {
  state.set('signed_out')
  void cache.invalidateQueries({ queryKey: keys.me })
}

function take(update: LiveUpdate): void {
  if (update.type === 'connection') {
    state.set(update.state)
    return
  }
  if (update.topic !== null) for (const listener of listeners.get(update.topic) ?? []) listener(update)
  if (update.type === 'subscribed') begin(update)
  else if (update.type === 'event') applyEvent(cache, update)
  else if (update.type === 'unsubscribed' && update.id === null) refetch(update.topic)
}

/** What was fetched before the platform began to tell may lack what happened in between. */
function begin({ topic, recovered, snapshot }: Subscribed): void {
  if (snapshot) applyEvent(cache, snapshot)
  if (!recovered) refetch(topic)
}

function refetch(topic: LiveTopic): void {
  void cache.invalidateQueries({ predicate: ({ meta }) => meta?.topic === topic })
}
