// A timer that several callers share: the earliest requested time wins.

export type Alarm = {
  /** Calls back after this time, or sooner if an earlier call has asked for that. */
  within(milliseconds: number): void
  isSet(): boolean
  clear(): void
}

export function createAlarm(callback: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  const clear = (): void => {
    clearTimeout(timer)
    timer = undefined
    dueAt = Number.POSITIVE_INFINITY
  }
  return {
    within: (milliseconds) => {
      const at = performance.now() + milliseconds
      if (at >= dueAt) return
      clear()
      dueAt = at
      timer = setTimeout(() => {
        clear()
        callback()
      }, milliseconds)
    },
    isSet: () => timer !== undefined,
    clear,
  }
}
