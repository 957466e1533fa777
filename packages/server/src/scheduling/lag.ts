// How long requests had to wait at most while something was done: starting a process stops the event loop until that one runs, which is
// long on a machine that has much to do.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Lag = {
  /** From here on, for as long as anybody measures: watching takes a little of every moment. */
  begin(): void
  /** The longest stop while it was measured, in milliseconds; of several who measure at once, of all that time. */
  end(): number
}

const RESOLUTION_MS = 10

export function watchLag(): Lag {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let measuring = 0
  return {
    begin: () => {
      if (measuring++ > 0) return
      delays.reset()
      delays.enable()
    },
    end: () => {
      if (--measuring === 0) delays.disable()
      return Math.max(0, delays.max / 1e6 - RESOLUTION_MS)
    },
  }
}
