// One row of the output: a fold or a line.
import type { MouseEvent } from 'react'
import { hitsOf } from '../../../components/output/hits-of-line.ts'
import type { RowIndex } from '../../../components/output/row-index.ts'
import type { Hit } from '../../../data/log/search.ts'
import type { TaskLog } from '../../../data/log/task-log.ts'
import type { MarkedLines } from './marked-lines.ts'
import { OutputFold } from './output-fold.tsx'
import { OutputLine } from './output-line.tsx'
import type { Section } from './sections.ts'

/** Data that all rows share. */
export type RowContext = {
  readonly log: TaskLog
  readonly rows: RowIndex<Section>
  readonly isWrapped: boolean
  readonly isGrowing: boolean
  readonly marked: MarkedLines | undefined
  readonly errorLine: number | undefined
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
  readonly onToggle: (section: Section, isOpen: boolean) => void
  readonly onChoose: (number: number, event: MouseEvent) => void
}

export function OutputRow({ row, context }: { readonly row: number; readonly context: RowContext }) {
  const { rows, log, isWrapped, isGrowing, marked, errorLine, hits, current, onToggle, onChoose } = context
  const shown = rows.at(row)
  if (shown === undefined) return null
  if (shown.type === 'fold') return <OutputFold section={shown.section} isOpen={shown.isOpen} onToggle={onToggle} />
  const { line } = shown
  const number = line + 1
  const isMarked = marked !== undefined && number >= marked.first && number <= marked.last
  return (
    <OutputLine
      number={number}
      text={log.store.lineAt(line)}
      marks={hitsOf(line, hits, current)}
      isMarked={isMarked}
      isErrorLine={number === errorLine}
      isWhole={isWrapped || isMarked || current?.line === line}
      hasCaret={isGrowing && line === log.store.count - 1}
      onChoose={onChoose}
    />
  )
}
