// How long requests had to wait at most while something was done: starting a process stops the event loop until that one runs, which is
// long on a machine that has much to do.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Lag = {
  begin(): void
  /** The longest stop since then, in milliseconds. */
  longest(): number
  stop(): void
}

const RESOLUTION_MS = 10

export function watchLag(): Lag {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  return {
    begin: () => {
      delays.enable()
      delays.reset()
    },
    longest: () => Math.max(0, delays.max / 1e6 - RESOLUTION_MS),
    stop: () => void delays.disable(),
  }
}
