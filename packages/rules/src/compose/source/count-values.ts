// How much a part of a compose file comes to when all that it repeats is written out. An alias makes a large file of a few words.

/** As many as Compose may print. */
export const MOST_VALUES = 20_000

export const TOO_MANY_VALUES =
  'The compose files come to more than 20,000 values. Take out what is not needed, or split the project'

/** At most `most` plus one: nobody counts further. */
export function countValues(value: unknown, most: number): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    count += 1
    if (count > most) return count
    if (typeof next === 'object' && next !== null) {
      const inner = Object.values(next)
      if (inner.length > most) return most + 1
      open.push(...inner)
    }
  }
  return count
}
