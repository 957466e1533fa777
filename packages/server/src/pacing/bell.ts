// Wakes one who waits. A ring that comes while nobody waits is remembered, so that none is missed.

export type Bell = {
  ring(): void
  /** Rings that came before count no more: whoever calls this looks at everything next. */
  forget(): void
  /** True for a ring, false when the time is over or the signal was given. */
  next(signal: AbortSignal, withinMs?: number): Promise<boolean>
}

export function createBell(): Bell {
  let hasRung = false
  let wake: () => void = () => undefined
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    forget: () => {
      hasRung = false
    },
    next: async (signal, withinMs) => {
      if (!hasRung && !signal.aborted) {
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
      const rang = hasRung
      hasRung = false
      return rang
    },
  }
}
