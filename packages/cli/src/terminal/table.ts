// A table with one line per record. On a terminal the widest columns are cut so that no line is wider than the window.
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
/** Widths that columns are cut to, the widest first. The first column names the record, so it gives way last. */
const FLOORS = [
  { first: 24, other: 24 },
  { first: 24, other: 8 },
  { first: 24, other: 6 },
  { first: 6, other: 3 },
  { first: 1, other: 1 },
]

/** The widest column gives way first, so that short ones stay whole. */
function shrink(widths: readonly number[], total: number | undefined): readonly number[] {
  if (total === undefined) return widths
  const room = [...widths]
  for (const { first, other } of FLOORS) {
    for (;;) {
      const over = room.reduce((sum, width) => sum + width, 0) - total
      if (over <= 0) return room
      const slack = room.map((width, index) => width - (index === 0 ? first : other))
      const most = Math.max(...slack)
      if (most <= 0) break
      const index = slack.lastIndexOf(most)
      room[index] = (room[index] ?? 0) - Math.min(most, over)
    }
  }
  return room
}
