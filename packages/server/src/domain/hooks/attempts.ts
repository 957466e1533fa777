// When a message that did not arrive is sent again, and when a webhook is given up.

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** After the first attempt, the second and so on: three days and some hours in all. */
const PAUSES_MS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
] as const

/** Nothing has arrived for this long: the webhook is given up. */
const GIVEN_UP_MS = 72 * HOUR

export type Attempt = {
  /** The first one is 1. */
  readonly number: number
  /** Null if there was no response. */
  readonly status: number | null
  /** The pause that the receiver asked for. */
  readonly retryAfterMs: number
}

export const hasArrived = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== null && status >= 200 && status <= 299

/** How long to wait before the next attempt; undefined if there is none. */
export function pauseAfterAttempt({ number, retryAfterMs }: Attempt): number | undefined {
  const pause = PAUSES_MS[number - 1]
  return pause === undefined ? undefined : Math.max(pause, Math.min(retryAfterMs, LONGEST_WISH_MS))
}

/** A receiver that asks for a longer pause still gets the next attempt after this. */
const LONGEST_WISH_MS = 24 * HOUR

/** Why a webhook is turned off after an attempt that failed; undefined if it is not. */
export function whyGivenUp(
  { status }: Pick<Attempt, 'status'>,
  { failingSince, now }: { readonly failingSince: number; readonly now: number },
): 'failing' | 'gone' | undefined {
  if (status === 410) return 'gone'
  return now - failingSince >= GIVEN_UP_MS ? 'failing' : undefined
}
