// Measures how long the event loop was blocked during some work: starting a process blocks it, and for long on a busy machine.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Lag = {
  /** Starts measuring. The monitor is on only while someone measures, because it costs some time itself. */
  begin(): void
  /** The longest block in milliseconds; overlapping measurements share one maximum. */
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
