// The width of text on a terminal. A character may take two columns or none; color sequences take none.
import measure from 'fast-string-truncated-width'

export const widthOf = (text: string): number => measure(text).width

/** Cuts uncolored text to this many columns, and ends it with … if something was cut. */
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

/** Lazy, so that only the beginning of a long line is segmented. */
function lettersOf(text: string): Intl.Segments {
  // Created on first use: it takes a tenth of a whole run, and most runs cut nothing.
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

let segmenter: Intl.Segmenter | undefined

export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
