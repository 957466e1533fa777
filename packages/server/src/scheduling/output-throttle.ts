/**
 * Throttles floods of output while requests come in, because one process handles both and users do not read millions of lines live. All
 * floods share one rate; the rest of their output waits on the servers, where it is recorded. Ordinary output is never throttled, and
 * nothing is while there are no requests.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { yieldToRequests } from './yield-to-requests.ts'

export type OutputThrottle = {
  /** Call for each request. */
  noteRequest(): void
  /** Opens a token bucket for one program's output. */
  openStream(): Admit
}

/** Resolves when this many bytes may be processed. */
export type Admit = (bytes: number) => Promise<void>

type ThrottleLimits = {
  /** A stream that prints more than this at once is a flood, until its bucket has refilled. */
  readonly burstBytes: number
  readonly refillBytesPerMs: number
  /** Shared by all floods. */
  readonly floodBytesPerMs: number
  /** How long after a request the next one is expected. */
  readonly requestWindowMs: number
}

type Time = { readonly now: () => number; readonly sleep: (ms: number) => Promise<unknown> }

export function createOutputThrottle(
  { burstBytes, refillBytesPerMs, floodBytesPerMs, requestWindowMs }: ThrottleLimits,
  time: Time = { now: () => performance.now(), sleep },
): OutputThrottle {
  const burstMs = burstBytes / refillBytesPerMs
  let requestedAt = Number.NEGATIVE_INFINITY
  /** When the floods admitted so far have used up their rate. */
  let floodsUntil = Number.NEGATIVE_INFINITY
  return {
    noteRequest: () => {
      requestedAt = time.now()
    },
    openStream: () => {
      /** When the bucket of this stream is full again. */
      let usedUntil = Number.NEGATIVE_INFINITY
      return async (bytes) => {
        const now = time.now()
        usedUntil = Math.max(usedUntil, now) + bytes / refillBytesPerMs
        const isFlood = usedUntil > now + burstMs
        if (isFlood) usedUntil = now + burstMs
        if (isFlood && now - requestedAt < requestWindowMs) {
          floodsUntil = Math.max(floodsUntil, now) + bytes / floodBytesPerMs
          await time.sleep(floodsUntil - now)
        }
        await yieldToRequests()
      }
    },
  }
}

/** One per process, as there is one event loop. */
export const outputThrottle = createOutputThrottle({
  burstBytes: 512 * 1024,
  refillBytesPerMs: 50,
  floodBytesPerMs: 1024,
  requestWindowMs: 50,
})
