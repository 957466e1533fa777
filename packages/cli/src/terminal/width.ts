// How wide text is on a terminal, where a letter may take two columns or none. Sequences that color it take none.
import measure from 'fast-string-truncated-width'

export const widthOf = (text: string): number => measure(text).width

/** Cuts text without colors to so many columns; the last one is … where something was cut. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (text.length <= columns && widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of letters.segment(text)) {
    width += widthOf(segment)
    if (width > columns) return `${upTo(kept, columns - 1)}…`
    kept += segment
  }
  return text
}

const letters = new Intl.Segmenter()

/** `text` is at most one column too wide, or two where a wide letter ends it. */
function upTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return upTo(
    [...letters.segment(text)]
      .slice(0, -1)
      .map(({ segment }) => segment)
      .join(''),
    columns,
  )
}

export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
