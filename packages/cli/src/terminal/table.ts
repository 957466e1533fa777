// A table with one line per record. On a terminal the widest column is cut so that no line is wider than the window.
import { cutTo, pad, widthOf } from './width.ts'

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

export function tableLines({ head, rows }: Table, columns: number | undefined): string[] {
  const all = [head, ...rows]
  const widths = head.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? ''))))
  const room = shrink(
    widths,
    columns === undefined ? undefined : columns - INDENT.length - GAP.length * (head.length - 1),
  )
  return all.map((row) => {
    const cells = row.map((cell, index) => pad(cutTo(cell, room[index] ?? 0), room[index] ?? 0))
    return `${INDENT}${cells.join(GAP)}`.trimEnd()
  })
}

const INDENT = '  '
const GAP = '   '
const LEAST = 6

/** Shrinks the widest column until all fit, or until it is no longer readable. */
function shrink(widths: readonly number[], total: number | undefined): readonly number[] {
  if (total === undefined) return widths
  const room = [...widths]
  for (;;) {
    const over = room.reduce((sum, width) => sum + width, 0) - total
    const widest = Math.max(...room)
    if (over <= 0 || widest <= LEAST) return room
    const index = room.indexOf(widest)
    const next = Math.max(LEAST, ...room.filter((_, other) => other !== index))
    room[index] = Math.max(LEAST, widest - over, Math.min(next, widest - 1))
  }
}
