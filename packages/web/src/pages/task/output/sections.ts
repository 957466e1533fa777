// Which lines of the output belong to which step: those from where its output begins to the line that names the next step.
import type { LineStore } from '../../../data/log/line-store.ts'
import type { KeyedStep } from '../steps/steps.ts'

/** Lines from `first` up to `end`, which is not among them. */
export type Section = {
  readonly key: string
  readonly placed: KeyedStep
  /** Which of the sections it is. */
  readonly place: number
  readonly first: number
  readonly end: number
}
export type Sections = {
  /** Lines above the first step. */
  readonly before: number
  readonly sections: readonly Section[]
}

type Lines = Pick<LineStore, 'count' | 'dropped' | 'bytes' | 'lineOf' | 'textAt'>

/** What the platform prints above the output of a step. The fold tells the same, so the line is not shown. */
const HEADING = '==> '

export function sectionsOf(steps: readonly KeyedStep[], lines: Lines): Sections {
  const begun = steps
    .flatMap((placed) => (placed.step.output ? [{ placed, from: placed.step.output.from }] : []))
    .toSorted((one, other) => one.from - other.from)
  const firsts = begun.map(({ from }) => lines.lineOf(from))
  const ends = begun.map(({ from }, index) => headingOf(from, firsts[index] ?? 0, lines))
  return {
    before: ends[0] ?? lines.count,
    sections: begun.map(({ placed }, index) => {
      const first = Math.max(lines.dropped, firsts[index] ?? 0)
      return { key: placed.key, placed, place: index, first, end: Math.max(first, ends[index + 1] ?? lines.count) }
    }),
  }
}

/** The line that names the step, where it stands alone: output that ended within a line shares it. */
function headingOf(from: number, first: number, lines: Lines): number {
  const isThere = from <= lines.bytes && first > lines.dropped
  return isThere && lines.textAt(first - 1).startsWith(HEADING) ? first - 1 : first
}
