// Current time for components. All components with the same interval update together, in one render.
import { useSyncExternalStore } from 'react'

type Pace = 'second' | 'half_minute'

export function useNow(pace: Pace): Date {
  const clock = clocks[pace]
  return useSyncExternalStore(clock.watch, clock.now)
}

const clocks: Readonly<Record<Pace, Clock>> = { second: clockOf(1_000), half_minute: clockOf(30_000) }

type Clock = { readonly watch: (watcher: () => void) => () => void; readonly now: () => Date }

/** Ticks only while it has listeners. */
function clockOf(everyMs: number): Clock {
  const watchers = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let now = new Date()
  const tick = (): void => {
    now = new Date()
    for (const watcher of watchers) watcher()
  }
  return {
    watch: (watcher) => {
      watchers.add(watcher)
      timer ??= setInterval(tick, everyMs)
      return () => {
        watchers.delete(watcher)
        if (watchers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    // Same value for everything in one render, also before the first listener.
    now: () => {
      if (timer === undefined && Date.now() - now.getTime() >= everyMs) now = new Date()
      return now
    },
  }
}
