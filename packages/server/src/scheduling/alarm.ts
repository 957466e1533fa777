// One timer for whoever wants something done once, a while later.

export type Alarm = {
  /** Rings after so long, or sooner where somebody has asked for that. */
  within(milliseconds: number): void
  isSet(): boolean
  clear(): void
}

/** Of several who ask before it rings, the one who waits least decides: all of them are served by it. */
export function createAlarm(ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY
  const clear = (): void => {
    clearTimeout(timer)
    timer = undefined
    ringsAt = Number.POSITIVE_INFINITY
  }
  return {
    within: (milliseconds) => {
      const at = performance.now() + milliseconds
      if (at >= ringsAt) return
      clear()
      ringsAt = at
      timer = setTimeout(() => {
        clear()
        ring()
      }, milliseconds)
    },
    isSet: () => timer !== undefined,
    clear,
  }
}
