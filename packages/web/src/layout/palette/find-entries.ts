// Filters palette entries: every typed word must match, and prefix matches come first.
export type Entry = {
  readonly id: string
  readonly group: string
  /** Searched and displayed. */
  readonly name: string
  readonly detail?: string
  readonly disabledReason?: string | undefined
  readonly choose: () => void
}

const MOST = 40

export function findEntries<One extends Pick<Entry, 'name' | 'group' | 'disabledReason'>>(
  entries: readonly One[],
  typed: string,
): readonly One[] {
  const words = wordsOf(typed)
  const fitting = entries.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const [first = ''] = words
  const rankOf = ({ name }: One): number => (wordsOf(name).some((word) => word.startsWith(first)) ? 0 : 1)
  const ranked = first === '' ? fitting : fitting.toSorted((left, right) => rankOf(left) - rankOf(right))
  const groups = [...new Set(entries.map(({ group }) => group))]
  const free = ranked.filter(({ disabledReason }) => disabledReason === undefined)
  const locked = ranked.filter(({ disabledReason }) => disabledReason !== undefined)
  return [...groups.flatMap((group) => free.filter((entry) => entry.group === group)), ...locked].slice(0, MOST)
}

type Piece = { readonly text: string; readonly isTyped: boolean }

/** Splits a name into typed and other parts, for highlighting. Compares text: a pattern would give typed characters a meaning. */
export function piecesOf(name: string, typed: string): readonly Piece[] {
  const words = wordsOf(typed)
  const pieces: Piece[] = []
  let plainFrom = 0
  const endPlain = (end: number): void => {
    if (end > plainFrom) pieces.push({ text: name.slice(plainFrom, end), isTyped: false })
  }
  for (let at = 0; at < name.length; ) {
    const length = typedLength(name, at, words)
    if (length > 0) {
      endPlain(at)
      pieces.push({ text: name.slice(at, at + length), isTyped: true })
      plainFrom = at + length
    }
    at += Math.max(1, length)
  }
  endPlain(name.length)
  return pieces
}

/** Length of the longest typed word that the name has at this position; 0 if there is none. */
function typedLength(name: string, at: number, words: readonly string[]): number {
  const found = words.filter((word) => name.slice(at, at + word.length).toLowerCase() === word)
  return Math.max(0, ...found.map(({ length }) => length))
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter((word) => word !== '')
