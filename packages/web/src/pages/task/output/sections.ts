// Assigns lines of output to steps.
import type { Foldable, Sections } from '../../../components/output/row-index.ts'
import type { LineStore } from '../../../data/log/line-store.ts'
import type { KeyedStep } from '../steps/steps.ts'

export type Section = Foldable & { readonly keyed: KeyedStep }
export type StepSections = Sections<Section>

type Lines = Pick<LineStore, 'count' | 'dropped' | 'bytes' | 'lineOf' | 'textAt'>

/** Heading that the platform prints before a step's output. Hidden, because the fold shows the same. */
const HEADING = '==> '

export function sectionsOf(steps: readonly KeyedStep[], lines: Lines): StepSections {
  const begun = steps
    .flatMap((keyed) => (keyed.step.output ? [{ keyed, from: keyed.step.output.from }] : []))
    .toSorted((one, other) => one.from - other.from)
  const firsts = begun.map(({ from }) => lines.lineOf(from))
  const ends = begun.map(({ from }, index) => headingOf(from, firsts[index] ?? 0, lines))
  return {
    before: ends[0] ?? lines.count,
    sections: begun.map(({ keyed }, index) => {
      const first = Math.max(lines.dropped, firsts[index] ?? 0)
      return { key: keyed.key, keyed, index, first, end: Math.max(first, ends[index + 1] ?? lines.count) }
    }),
  }
}

export const sectionOfLine = ({ sections }: StepSections, line: number): Section | undefined =>
  sections.find(({ first, end }) => line >= first && line < end)

/** Line of the heading, unless unfinished output shares the line with it. */
function headingOf(from: number, first: number, lines: Lines): number {
  const isThere = from <= lines.bytes && first > lines.dropped
  return isThere && lines.textAt(first - 1).startsWith(HEADING) ? first - 1 : first
}
