// The live channel of this page: one connection, whose topics are those that something on the page is about.
import type { LiveMessage, LiveTopic, LiveUpdate } from '@shipway/api'
import { useEffect, useSyncExternalStore } from 'react'
import { applyEvent } from './apply-event.ts'
import { cache } from './cache.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>
export type Connectedness = 'connecting' | 'online' | 'offline' | 'signed_out'
type Listener = (update: LiveUpdate) => void

/** Pages follow each other and often tell of the same records: a topic outlasts its last user for a moment. */
const LINGER_MS = 2_000

const channel = client.live()
const users = new Map<LiveTopic, number>()
const listeners = new Map<LiveTopic, Set<Listener>>()
const watchers = new Set<() => void>()
let state: Connectedness = 'connecting'
let isReading = false

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

export const useConnectedness = (): Connectedness => useSyncExternalStore(watch, () => state)

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

async function read(): Promise<void> {
  isReading = true
  try {
    for await (const update of channel) take(update)
  } catch {
    // What waiting cannot mend: nobody is signed in any more, as the platform will say when it is asked who is.
    become('signed_out')
    void cache.invalidateQueries({ queryKey: keys.me })
  }
}

function take(update: LiveUpdate): void {
  if (update.type === 'connection') {
    become(update.state)
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

function become(next: Connectedness): void {
  if (state === next) return
  state = next
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
