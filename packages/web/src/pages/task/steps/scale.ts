// Time axis above the waterfall: its segments and labels.
import { formatDuration } from '../../../text/duration.ts'

export type Scale = {
  readonly totalMs: number
  /** From 0 to 1. */
  readonly segments: readonly { readonly from: number; readonly width: number }[]
  readonly figures: readonly { readonly at: number; readonly words: string }[]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Intervals between labels. A segment is half an interval. */
const STEPS = [
  ...[0.2, 0.4, 1, 2, 4, 10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 4, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 10, 24].map((hours) => hours * HOUR),
]
const MOST_FIGURES = 5
/** Labels with minutes or fractions are wider. */
const MOST_WIDE_FIGURES = 4

export function scaleOf(totalMs: number): Scale {
  const total = Math.max(totalMs, 400)
  const step =
    STEPS.find((ms) => total / ms < (total < 5 * SECOND || total >= MINUTE ? MOST_WIDE_FIGURES : MOST_FIGURES)) ??
    Math.ceil(total / MOST_FIGURES / HOUR) * HOUR
  const length = step / 2
  const segments = Array.from({ length: Math.ceil(total / length) }, (_, index) => ({
    from: (index * length) / total,
    width: Math.min(length, total - index * length) / total,
  }))
  const figures = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => ({
    at: (index * step) / total,
    words: wordsOf(index * step, step),
  }))
  return { totalMs: total, segments, figures }
}

function wordsOf(ms: number, step: number): string {
  if (ms === 0) return '0'
  if (ms < MINUTE && step >= SECOND) return `${ms / SECOND} s`
  return formatDuration(ms)
}
