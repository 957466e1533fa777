// A value outside of React that components can subscribe to.
import { useSyncExternalStore } from 'react'

export type Observable<Value> = {
  readonly get: () => Value
  readonly set: (next: Value) => void
  /** Hook that returns the current value. */
  readonly use: () => Value
}

export function observable<Value>(first: Value): Observable<Value> {
  const watchers = new Set<() => void>()
  let value = first
  const get = (): Value => value
  const watch = (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    get,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const watcher of watchers) watcher()
    },
    use: () => useSyncExternalStore(watch, get),
  }
}
