// Data of line charts: scales, paths, positions on the time axis, and rows for the table that screen readers get.

export type Values = readonly (number | null)[]

export type Line = {
  readonly name: string
  readonly values: Values
  /** Index of its color; lines of one service share it. */
  readonly color: number
  readonly isDashed?: boolean
  /** Shown behind a value, such as a limit. */
  readonly of?: string
}

export type Mark = { readonly at: number; readonly label: string; readonly isBad: boolean }

/** Slots of equal length, as the API gives them. */
export type Slots = { readonly from: number; readonly stepMs: number; readonly count: number }

export const slotsOf = (metrics: { readonly from: string; readonly step_seconds: number }, count: number): Slots => ({
  from: Date.parse(metrics.from),
  stepMs: metrics.step_seconds * 1000,
  count,
})

export const highest = (lists: readonly Values[]): number =>
  lists.reduce((most, values) => values.reduce((top: number, value) => Math.max(top, value ?? 0), most), 0)

export const lastOf = (values: Values): number | null => values.findLast((value) => value !== null) ?? null

/** Sums of several lists; null where none has a value. */
export function sumOf(lists: readonly Values[]): Values {
  const [first = []] = lists
  return first.map((_, index) =>
    lists.reduce<number | null>((sum, values) => {
      const value = values[index] ?? null
      return value === null ? sum : (sum ?? 0) + value
    }, null),
  )
}

const ROUND = [1, 2, 4, 5, 8, 10]
const ROUND_BINARY = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** The smallest round number that is not below the highest value. `least` keeps noise of an idle service flat. */
export function topOf(value: number, least: number): number {
  const most = Math.max(value, least)
  const power = 10 ** Math.floor(Math.log10(most))
  return power * (ROUND.find((step) => step * power >= most * 0.999_999) ?? 10)
}

/** The same for bytes of memory. */
export function binaryTopOf(value: number, least: number): number {
  const most = Math.max(value, least)
  const unit = 1024 ** Math.floor(Math.log2(most) / 10)
  const step = ROUND_BINARY.find((round) => round * unit >= most) ?? 1024
  // Three quarters of it, where that is enough: half of a chart would be empty.
  return step >= 4 && 0.75 * step * unit >= most ? 0.75 * step * unit : step * unit
}

/** A path in a box of `count - 1` by 1, upside down as SVG has it. A value between two gaps is a dot. */
export function pathOf(values: Values, top: number): string {
  let path = ''
  let isPenDown = false
  values.forEach((value, index) => {
    if (value === null) {
      isPenDown = false
      return
    }
    const y = (1 - Math.min(value / top, 1)).toFixed(4)
    path += isPenDown ? `L${index} ${y}` : `M${index} ${y}h0`
    isPenDown = true
  })
  return path
}

/** The path closed along the bottom, to be filled. */
export function areaOf(values: Values, top: number): string {
  let path = ''
  let first: number | undefined
  values.forEach((value, index) => {
    if (value !== null) {
      const y = (1 - Math.min(value / top, 1)).toFixed(4)
      path += first === undefined ? `M${index} 1L${index} ${y}` : `L${index} ${y}`
      first ??= index
    }
    const next = values[index + 1] ?? null
    if (first !== undefined && (value === null || next === null)) {
      path += `L${value === null ? index - 1 : index} 1Z`
      first = undefined
    }
  })
  return path
}

/** Where a time is on the axis, from 0 to 1; undefined outside of it. The whole last slot is at its end. */
export function positionOf({ from, stepMs, count }: Slots, time: number): number | undefined {
  const position = (time - from) / ((count - 1) * stepMs)
  return position >= 0 && time < from + count * stepMs ? Math.min(position, 1) : undefined
}

const TICKS = 4

/** Times at even distances. */
export const ticksOf = ({ from, stepMs, count }: Slots): readonly number[] =>
  Array.from({ length: TICKS + 1 }, (_, index) => from + (index / TICKS) * (count - 1) * stepMs)

/** More would be read out for minutes. */
const TABLE_ROWS = 24

export type TableRow = { readonly time: number; readonly values: Values }

/** The highest value of each part of the time, oldest first; parts without any value are left out. */
export function rowsOf({ from, stepMs, count }: Slots, lists: readonly Values[]): readonly TableRow[] {
  const size = Math.ceil(count / TABLE_ROWS)
  return Array.from({ length: Math.ceil(count / size) }, (_, row) => ({
    time: from + row * size * stepMs,
    values: lists.map((values) => {
      const known = values.slice(row * size, (row + 1) * size).filter((value) => value !== null)
      return known.length === 0 ? null : Math.max(...known)
    }),
  })).filter(({ values }) => values.some((value) => value !== null))
}
