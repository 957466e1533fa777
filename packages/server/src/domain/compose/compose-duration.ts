// Durations as Compose writes them.

const UNITS: Readonly<Record<string, number>> = { h: 3600e9, m: 60e9, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 }

/** In nanoseconds, of a text such as `1m30s`; undefined where it is none, or is longer than can be counted exactly. */
export function durationNs(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s|us|\u00b5s|ns))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(?<![\d.])([\d.]+)([a-z\u00b5]+)/g)]
  const ns = Math.round(
    parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? Number.NaN), 0),
  )
  return Number.isSafeInteger(ns) ? ns : undefined
}
