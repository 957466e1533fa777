// One thing at a time for each key, in the order in which they came.
import { untilBegun } from './until-begun.ts'

export type Serializer<Key extends number | string = number> = {
  /** Whoever is stopped while waiting learns it at once, and the work is never begun. */
  run<Result>(key: Key, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Whoever comes while another waits to begin shares that turn: it has not looked yet. */
  runShared(key: Key, work: () => Promise<void>): Promise<void>
}

export function createSerializer<Key extends number | string = number>(): Serializer<Key> {
  const last = new Map<Key, Promise<unknown>>()
  const shared = new Map<Key, Promise<void>>()

  const queue = <Result>(key: Key, work: () => Promise<Result>): Promise<Result> => {
    // One that failed holds up nobody.
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
      untilBegun(signal, (begin) =>
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
