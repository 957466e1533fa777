// A value that lives outside of the page's components, and those on the page that watch it.
import { useSyncExternalStore } from 'react'

export type Observable<Value> = {
  readonly get: () => Value
  readonly set: (next: Value) => void
  /** The value as it is by now, within a component. */
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
