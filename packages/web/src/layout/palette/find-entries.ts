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

/** Splits a name into typed and other parts, for highlighting. */
export function piecesOf(name: string, typed: string): readonly { readonly text: string; readonly isTyped: boolean }[] {
  const words = wordsOf(typed)
  if (words.length === 0) return [{ text: name, isTyped: false }]
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'giu')
  return name
    .split(pattern)
    .filter((text) => text !== '')
    .map((text) => ({ text, isTyped: words.includes(text.toLowerCase()) }))
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter((word) => word !== '')
