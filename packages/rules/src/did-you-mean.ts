// Finds the known word that the user most likely meant.

/** The nearest of the known words, or undefined when none is near enough to be worth a question. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const nearest = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= tolerance(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance)[0]
  return nearest && nearest.distance <= tolerance(nearest.candidate) ? nearest.candidate : undefined
}

/** A third of the word, so that `run` is no answer to `foo` while `arifacts` still finds `artifacts`. */
function tolerance(word: string): number {
  return Math.max(1, Math.floor(word.length / 3))
}

/** Letters left out, added, replaced, or swapped with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
