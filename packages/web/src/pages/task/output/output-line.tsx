// One line of output: its number, which is a link, and its colored text.
import { type MouseEvent, memo } from 'react'
import { LineText } from '../../../components/output/line-text.tsx'
import styles from '../../../components/output/lines.module.css'
import type { MarkedPart } from '../../../components/output/spans.ts'

type OutputLineProps = {
  readonly number: number
  readonly text: string
  readonly marks: readonly MarkedPart[] | undefined
  readonly isMarked: boolean
  readonly isErrorLine: boolean
  /** Shows the whole line wrapped. */
  readonly isWhole: boolean
  readonly hasCaret: boolean
  readonly onChoose: (number: number, event: MouseEvent) => void
}

export const OutputLine = memo(function OutputLine(props: OutputLineProps) {
  const { number, text, marks, isMarked, isErrorLine, isWhole, hasCaret, onChoose } = props
  const classes = [styles.line, isMarked && styles.marked, isErrorLine && styles.errorLine, isWhole && styles.whole]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <a href={`#L${number}`} aria-label={`Line ${number}`} onClick={(event) => onChoose(number, event)}>
        {number}
      </a>
      <LineText text={text} marks={marks} isWhole={isWhole} hasCaret={hasCaret} rest="in the raw log" />
    </div>
  )
})
