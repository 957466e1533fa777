// A task's log from the live channel.
import type { LiveUpdate } from '@shipway/api'
import { useEffect, useSyncExternalStore } from 'react'
import { listen } from '../live.ts'
import { FrameSignal } from './frame-signal.ts'
import { LineStore } from './line-store.ts'
import { utf8Length } from './utf8-length.ts'

/** `behind`: the platform has more than it has sent. `refused`: by the platform. `gone`: the user lost access. */
export type LogState = 'waiting' | 'live' | 'behind' | 'refused' | 'gone'

export class TaskLog extends FrameSignal {
  store = new LineStore()
  state: LogState = 'waiting'
  /** Why the platform refuses it. */
  refusal: string | undefined
  /** Arrival of the newest output. */
  newestAt: Date | undefined
  #behindTo = 0

  handleUpdate(update: LiveUpdate): void {
    if (update.type === 'subscribed') this.#setState('live')
    else if (update.type === 'lagged') this.#fallBehind(update.seq, update.to)
    else if (update.type === 'event' && update.event === 'log.append')
      this.#append(update.data.text, update.data.offset)
    else if (update.type === 'error') this.#refuse(update.detail)
    else if (update.type === 'unsubscribed' && update.id === null) this.#setState('gone')
  }

  #refuse(detail: string): void {
    this.refusal = detail
    this.#setState('refused')
  }

  #append(text: string, offset: number): void {
    const start = offset - utf8Length(text)
    // Each invalid byte arrived as three, so the chunk may start up to two bytes later per replacement character.
    const latestStart = start + 2 * (text.split('\ufffd').length - 1)
    if (latestStart < this.store.bytes) this.store = new LineStore()
    if (start > this.store.bytes) this.#skipTo(start)
    this.store.append(text, offset)
    this.newestAt = new Date()
    this.#setState(offset < this.#behindTo ? 'behind' : 'live')
  }

  #fallBehind(from: number, to: number): void {
    if (from > this.store.bytes) this.#skipTo(from)
    this.#behindTo = to
    this.#setState('behind')
  }

  #skipTo(offset: number): void {
    this.store.skipTo(offset, `… ${offset - this.store.bytes} bytes are missing here. See the raw log …`)
  }

  #setState(state: LogState): void {
    this.state = state
    this.notify()
  }
}

type OpenLog = { readonly log: TaskLog; users: number; stop: () => void }

/** Keeps the log for a moment, so that going back does not fetch it again. */
const LINGER_MS = 5_000
const openLogs = new Map<number, OpenLog>()

/** Re-renders on new output if `isWatched`. */
export function useTaskLog(taskId: number, { isWatched = true } = {}): TaskLog {
  const log = openLogs.get(taskId)?.log ?? openLog(taskId).log
  useEffect(() => {
    const entry = openLogs.get(taskId) ?? openLog(taskId)
    entry.users += 1
    return () => {
      entry.users -= 1
      setTimeout(() => closeLog(taskId, entry), LINGER_MS)
    }
  }, [taskId])
  useSyncExternalStore(isWatched ? log.watch : watchNothing, () => (isWatched ? log.version : 0))
  return log
}

const watchNothing = () => () => undefined

function openLog(taskId: number): OpenLog {
  const log = new TaskLog()
  const entry = { log, users: 0, stop: listen(`task:${taskId}:log`, (update) => log.handleUpdate(update)) }
  openLogs.set(taskId, entry)
  // A render that is discarded never runs the effect's cleanup.
  setTimeout(() => closeLog(taskId, entry), LINGER_MS)
  return entry
}

function closeLog(taskId: number, entry: OpenLog): void {
  if (entry.users > 0 || openLogs.get(taskId) !== entry) return
  openLogs.delete(taskId)
  entry.stop()
}
