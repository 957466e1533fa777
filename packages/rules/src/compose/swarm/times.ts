// Times that a Swarm keeps to, within bounds: a container that may take its time to stop outlives its environment, and one that restarts
// without a pause occupies the managers.

/** The longest time in which a container may stop. */
const LONGEST_STOP = { ms: 5 * 60_000, text: '5m0s' }
/** The shortest pause before a container restarts. */
const SHORTEST_PAUSE = { ms: 1_000, text: '1s' }

export const isLongStop = (time: unknown): boolean => (millisecondsOf(time) ?? 0) > LONGEST_STOP.ms
export const stopTime = (time: unknown): unknown => (isLongStop(time) ? LONGEST_STOP.text : time)
export const isShortPause = (time: unknown): boolean => (millisecondsOf(time) ?? SHORTEST_PAUSE.ms) < SHORTEST_PAUSE.ms
export const restartPause = (time: unknown): unknown => (isShortPause(time) ? SHORTEST_PAUSE.text : time)

/** Of `1m30s`. Null where it is no time. */
function millisecondsOf(time: unknown): number | null {
  const text = String(time)
  if (!/^(?:[\d.]+[a-z\u00b5]+)+$|^0$/.test(text)) return null
  const parts = [...text.matchAll(/(?<![\d.])([\d.]+)([a-z\u00b5]+)/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MILLISECONDS[unit ?? ''] ?? 0), 0)
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}
