// Counts the values of a compose file with all aliases expanded. An alias can turn a few words into a large file.

/** The limit for Compose's output. */
export const MOST_VALUES = 20_000

export const TOO_MANY_VALUES =
  'The compose files come to more than 20,000 values, or to very long ones. Take out what is not needed, or split the project'

/** An alias or a variable can repeat a long text: it counts once more for each of these many characters. */
const LONG = 1000

/** Stops counting above `most`. */
export function countValues(value: unknown, most: number): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    count += typeof next === 'string' ? 1 + Math.floor(next.length / LONG) : 1
    if (count > most) return count
    if (typeof next === 'object' && next !== null) {
      const inner = Object.values(next)
      if (inner.length > most) return most + 1
      const longNames = Array.isArray(next) ? [] : Object.keys(next).filter((name) => name.length >= LONG)
      open.push(...inner, ...longNames)
    }
  }
  return count
}
