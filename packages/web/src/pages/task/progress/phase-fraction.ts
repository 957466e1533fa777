// How much of a running phase is done, as far as earlier deployments can tell. What takes longer than usual is never shown as done.
const UNKNOWN = 0.5
const MOST = 0.96

export function phaseFraction(elapsedMs: number, usualMs: number | undefined): number {
  if (usualMs === undefined || usualMs <= 0) return UNKNOWN
  return Math.min(MOST, elapsedMs / usualMs)
}
