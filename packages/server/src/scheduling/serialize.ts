// Runs work one at a time per key, in the order of the calls.
import { abortableWhileQueued } from './abortable-while-queued.ts'

export type Serializer<Key extends number | string = number> = {
  /** An abort while waiting rejects at once, and the work never starts. */
  run<Result>(key: Key, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Coalesces calls: while one waits to start, further calls share its result. */
  runShared(key: Key, work: () => Promise<void>): Promise<void>
}

export function createSerializer<Key extends number | string = number>(): Serializer<Key> {
  const last = new Map<Key, Promise<unknown>>()
  const shared = new Map<Key, Promise<void>>()

  const queue = <Result>(key: Key, work: () => Promise<Result>): Promise<Result> => {
    // A failure does not block the next one.
    const turn = last.get(key)?.then(work, work) ?? work()
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key)
    }
    last.set(key, turn)
    turn.then(leave, leave)
    return turn
  }

  return {
    run: (key, work, signal) =>
      abortableWhileQueued(signal, (begin) =>
        queue(key, async () => {
          begin()
          return work()
        }),
      ),
    runShared: (key, work) => {
      const waiting = shared.get(key)
      if (waiting) return waiting
      if (!last.has(key)) return queue(key, work)
      const turn = queue(key, () => {
        shared.delete(key)
        return work()
      })
      shared.set(key, turn)
      return turn
    },
  }
}
