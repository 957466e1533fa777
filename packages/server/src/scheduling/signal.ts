// Wakes a waiting task. A signal fired while nothing waits is remembered, so that none is missed.

export type Signal = {
  fire(): void
  /** Discards signals fired so far: the caller is about to read everything. */
  forget(): void
  /** True if it was fired, false on timeout or abort. */
  next(signal: AbortSignal, withinMs?: number): Promise<boolean>
}

export function createSignal(): Signal {
  let wasFired = false
  let wake: () => void = () => undefined
  return {
    fire: () => {
      wasFired = true
      wake()
    },
    forget: () => {
      wasFired = false
    },
    next: async (signal, withinMs) => {
      if (!wasFired && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            clearTimeout(timer)
            signal.removeEventListener('abort', end)
            wake = () => undefined
            resolve()
          }
          const timer = withinMs === undefined ? undefined : setTimeout(end, withinMs)
          wake = end
          signal.addEventListener('abort', end, { once: true })
        })
      }
      const fired = wasFired
      wasFired = false
      return fired
    },
  }
}
