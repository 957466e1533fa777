// What an authority's Retry-After asks for, as far as that is obeyed. Whatever it says, what comes out can be added to a time and kept.

/** Longer than any authority asks for, and soon enough for a certificate that is renewed while a third of its life is left. */
const LONGEST_MS = 7 * 86_400_000

/** In whole milliseconds; nothing for what is neither a number of seconds nor a date to come. */
export function retryAfterMs(header: unknown, now: number): number {
  if (typeof header !== 'string') return 0
  const asked = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return asked > 0 ? Math.min(Math.ceil(asked), LONGEST_MS) : 0
}
