// The output of a task, as the live channel brings it. Pages are told once per drawn frame, however fast it comes.
import type { LiveUpdate } from '@shipway/api'
import { useEffect, useSyncExternalStore } from 'react'
import { listen } from '../live.ts'
import { LineStore } from './line-store.ts'
import { utf8Length } from './utf8-length.ts'

/** `behind`: the platform has more than it has sent. `gone`: it sends no more, since the reader may not see it. */
export type LogState = 'waiting' | 'live' | 'behind' | 'gone'

export class TaskLog {
  store = new LineStore()
  state: LogState = 'waiting'
  /** Grows with every change that pages are told of. */
  version = 0
  /** When the newest output came. */
  newestAt: Date | undefined
  readonly #watchers = new Set<() => void>()
  #behindTo = 0
  #frame: number | undefined

  take(update: LiveUpdate): void {
    if (update.type === 'subscribed') this.#become('live')
    else if (update.type === 'lagged') this.#fallBehind(update.seq, update.to)
    else if (update.type === 'event' && update.event === 'log.append')
      this.#append(update.data.text, update.data.offset)
    else if (update.type === 'error' || (update.type === 'unsubscribed' && update.id === null)) this.#become('gone')
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #append(text: string, offset: number): void {
    const start = offset - utf8Length(text)
    // Bytes that are no UTF-8 came as three: such a piece begins up to two bytes later for each of them.
    const latestStart = start + 2 * (text.split('\ufffd').length - 1)
    if (latestStart < this.store.bytes) this.store = new LineStore()
    if (start > this.store.bytes) this.#skipTo(start)
    this.store.append(text, offset)
    this.newestAt = new Date()
    this.#become(offset < this.#behindTo ? 'behind' : 'live')
  }

  #fallBehind(from: number, to: number): void {
    if (from > this.store.bytes) this.#skipTo(from)
    this.#behindTo = to
    this.#become('behind')
  }

  #skipTo(offset: number): void {
    this.store.skipTo(offset, `… ${offset - this.store.bytes} bytes did not come. The raw log has them …`)
  }

  #become(state: LogState): void {
    this.state = state
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.version += 1
      for (const watcher of this.#watchers) watcher()
    })
  }
}

type Held = { readonly log: TaskLog; users: number; leave: () => void }

/** Whoever goes to another page and comes back does not fetch all of it again. */
const LINGER_MS = 5_000
const held = new Map<number, Held>()

/** Drawn again whenever something came, unless whoever uses it does not look at it. */
export function useTaskLog(taskId: number, { isWatched = true } = {}): TaskLog {
  const log = held.get(taskId)?.log ?? hold(taskId).log
  useEffect(() => {
    const own = held.get(taskId) ?? hold(taskId)
    own.users += 1
    return () => {
      own.users -= 1
      setTimeout(() => release(taskId, own), LINGER_MS)
    }
  }, [taskId])
  useSyncExternalStore(isWatched ? log.watch : watchNothing, () => (isWatched ? log.version : 0))
  return log
}

const watchNothing = () => () => undefined

function hold(taskId: number): Held {
  const log = new TaskLog()
  const own = { log, users: 0, leave: listen(`task:${taskId}:log`, (update) => log.take(update)) }
  held.set(taskId, own)
  // A page that is given up before it is drawn never says that it leaves.
  setTimeout(() => release(taskId, own), LINGER_MS)
  return own
}

function release(taskId: number, own: Held): void {
  if (own.users > 0 || held.get(taskId) !== own) return
  held.delete(taskId)
  own.leave()
}
