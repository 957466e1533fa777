// The name that somebody most likely meant.

/** Undefined where nothing is near: less than a third of the letters may differ. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const small = wanted.toLowerCase().slice(0, MOST_LETTERS)
  const ranked = names
    .map((name) => ({ name, distance: distanceBetween(small, name.toLowerCase().slice(0, MOST_LETTERS)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, small.length) / 3)))
    .sort((one, other) => one.distance - other.distance)
  return ranked[0]?.name ?? names.find((name) => small.length >= 2 && name.toLowerCase().startsWith(small))
}

/** How many letters to add, to leave out, to replace or to swap with their neighbor. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

/** Longer names are compared by their beginning. */
const MOST_LETTERS = 60
