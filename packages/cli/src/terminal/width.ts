// How wide text is on a terminal, where a letter may take two columns or none. Sequences that color it take none.
import measure from 'fast-string-truncated-width'

export const widthOf = (text: string): number => measure(text).width

/** Cuts text without colors to so many columns; the last one is … where something was cut. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (text.length <= columns && widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of lettersOf(text)) {
    width += widthOf(segment)
    if (width > columns) return `${upTo(kept, columns - 1)}…`
    kept += segment
  }
  return text
}

/** `text` is at most one column too wide, or two where a wide letter ends it. */
function upTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const letters = Array.from(lettersOf(text), ({ segment }) => segment)
  return upTo(letters.slice(0, -1).join(''), columns)
}

/** One after the other: of a long line only the beginning is looked at. */
function lettersOf(text: string): Intl.Segments {
  // Made when something is cut: it takes a tenth of the time of a whole run, and most runs cut nothing.
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

let segmenter: Intl.Segmenter | undefined

export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
