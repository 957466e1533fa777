// Estimated progress of a running phase, by its usual duration. Never reaches 1 before the phase has ended.
const UNKNOWN = 0.5
const MOST = 0.96

export function phaseFraction(elapsedMs: number, usualMs: number | undefined): number {
  if (usualMs === undefined || usualMs <= 0) return UNKNOWN
  return Math.min(MOST, elapsedMs / usualMs)
}
