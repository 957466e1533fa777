// How wide text is on a terminal, where a letter may take two columns or none.
import measure from 'fast-string-truncated-width'

export const widthOf = (text: string): number => measure(text).width

/** Cuts text to so many columns; the last one is … where something was cut. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  const { index, truncated, ellipsed } = measure(text, { limit: columns, ellipsis: '…', ellipsisWidth: 1 })
  if (!truncated) return text
  return `${text.slice(0, index)}${ellipsed ? '…' : ''}`
}

export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
