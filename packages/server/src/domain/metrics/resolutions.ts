// Time is divided into slots. A sample belongs to the slot in which it was taken, and longer slots summarize shorter ones.
import type { MetricsRange } from '@shipway/api/oversight/metrics'

/** Length of a slot in seconds. */
export type Step = 30 | 300 | 3600

export type Resolution = { readonly step: Step; readonly keptSeconds: number }

const HOUR = 3600

/** Shortest first: each is summarized by the next. */
export const RESOLUTIONS = [
  { step: 30, keptSeconds: 2 * HOUR },
  { step: 300, keptSeconds: 48 * HOUR },
  { step: 3600, keptSeconds: 720 * HOUR },
] as const satisfies readonly Resolution[]

const RESOLUTION_OF: Readonly<Record<MetricsRange, Resolution>> = {
  '2h': RESOLUTIONS[0],
  '2d': RESOLUTIONS[1],
  '30d': RESOLUTIONS[2],
}

/** Start of the slot that a time is in. Both are milliseconds. */
export const slotOf = (step: Step, at: number): number => Math.floor(at / (step * 1000)) * step * 1000

export type Slots = { readonly step: Step; readonly from: number; readonly count: number }

/** The slots of a range, up to the one that `now` is in. */
export function slotsOf(range: MetricsRange, now: number): Slots {
  const { step, keptSeconds } = RESOLUTION_OF[range]
  const count = keptSeconds / step
  return { step, count, from: slotOf(step, now) - (count - 1) * step * 1000 }
}
