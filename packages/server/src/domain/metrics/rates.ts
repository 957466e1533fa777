// Rates from two readings of counters. A counter that fell, such as after a restart, gives no rate rather than a wrong one.

/** Readings further apart say little about now. */
const MOST_SECONDS = 150

export type RateOf = (now: number | null, before: number | null | undefined) => number | null

/** `seconds` lie between the two readings, by the clock of the server that counted. */
export function rateOver(seconds: number): RateOf {
  return (now, before) => {
    if (!(seconds > 0 && seconds <= MOST_SECONDS) || now === null) return null
    return before === null || before === undefined || now < before ? null : (now - before) / seconds
  }
}

/** Sum of what is known; null where nothing is. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Null where one of them is unknown. */
export function sumAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sumKnown(values)
}
