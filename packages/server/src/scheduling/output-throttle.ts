/**
 * Where floods of output come in. The process that takes them in answers requests as well, and nobody reads millions of lines as they
 * come: as long as somebody asks for something, floods are let in slowly, all of them together. The rest of one waits on its server,
 * where it is recorded. What prints as programs do passes as it comes, whoever floods beside it, and so does everything while nobody
 * asks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { yieldToRequests } from './yield-to-requests.ts'

export type OutputThrottle = {
  /** Somebody asks for something. */
  noteRequest(): void
  /** A way in for one that prints. */
  openStream(): Admit
}

/** Resolves when so many bytes are let in. */
export type Admit = (bytes: number) => Promise<void>

type ThrottleLimits = {
  /** Whoever has printed more than this at once is a flood, until there was less for some time. */
  readonly burstBytes: number
  readonly refillBytesPerMs: number
  /** Of all floods. */
  readonly floodBytesPerMs: number
  /** For so long after a request the next one is expected. */
  readonly requestWindowMs: number
}

type Time = { readonly now: () => number; readonly sleep: (ms: number) => Promise<unknown> }

export function createOutputThrottle(
  { burstBytes: freeBytes, refillBytesPerMs: freeAgainPerMs, floodBytesPerMs: bytesPerMs, requestWindowMs: askingMs }: ThrottleLimits,
  time: Time = { now: () => performance.now(), sleep },
): OutputThrottle {
  const freeMs = freeBytes / freeAgainPerMs
  let askedAt = Number.NEGATIVE_INFINITY
  /** When the floods that are let in have come in, at their pace. */
  let floodsUntil = Number.NEGATIVE_INFINITY
  return {
    noteRequest: () => {
      askedAt = time.now()
    },
    openStream: () => {
      /** When all that this one has printed is forgotten. */
      let usedUntil = Number.NEGATIVE_INFINITY
      return async (bytes) => {
        const now = time.now()
        usedUntil = Math.max(usedUntil, now) + bytes / freeAgainPerMs
        const isFlood = usedUntil > now + freeMs
        if (isFlood) usedUntil = now + freeMs
        if (isFlood && now - askedAt < askingMs) {
          floodsUntil = Math.max(floodsUntil, now) + bytes / bytesPerMs
          await time.sleep(floodsUntil - now)
        }
        await yieldToRequests()
      }
    },
  }
}

/** One for the process, as there is one event loop. */
export const outputThrottle = createOutputThrottle({
  burstBytes: 512 * 1024,
  refillBytesPerMs: 50,
  floodBytesPerMs: 1024,
  requestWindowMs: 50,
})
