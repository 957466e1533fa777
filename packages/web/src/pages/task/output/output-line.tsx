// One line of output: its number, which is a link, and its colored text.
import { type MouseEvent, memo } from 'react'
import styles from './lines.module.css'
import { type MarkedPart, type Span, spansOf, type TextStyle } from './spans.ts'

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

/** Truncated lines are cut by CSS; text far beyond that is not rendered. */
const CUT_CHARACTERS = 1_000
const WHOLE_CHARACTERS = 100_000

export const OutputLine = memo(function OutputLine(props: OutputLineProps) {
  const { number, text, marks, isMarked, isErrorLine, isWhole, hasCaret, onChoose } = props
  const most = isWhole ? WHOLE_CHARACTERS : CUT_CHARACTERS
  const classes = [styles.line, isMarked && styles.marked, isErrorLine && styles.errorLine, isWhole && styles.whole]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <a href={`#L${number}`} aria-label={`Line ${number}`} onClick={(event) => onChoose(number, event)}>
        {number}
      </a>
      <span className={styles.text}>
        {keyed(spansOf(text.length > most ? text.slice(0, most) : text, marks)).map(([key, span]) => (
          <Part key={key} span={span} />
        ))}
        {isWhole && text.length > most ? (
          <em>{` … and ${text.length - most} characters more, in the raw log`}</em>
        ) : undefined}
        {hasCaret ? <i className={styles.caret} /> : undefined}
      </span>
    </div>
  )
})

/** Spans have no other identity than their index. */
const keyed = (spans: readonly Span[]): readonly (readonly [number, Span])[] =>
  spans.map((span, index) => [index, span])

function Part({ span: { text, style, mark } }: { readonly span: Span }) {
  const name = classOf(style)
  if (mark === undefined) return name === '' ? text : <span className={name}>{text}</span>
  return (
    <mark data-mark={mark} className={name}>
      {text}
    </mark>
  )
}

const INKS = { bad: styles.bad, good: styles.good, warn: styles.warn, accent: styles.accent, faint: styles.faint }
const GROUNDS = {
  bad: styles.onBad,
  good: styles.onGood,
  warn: styles.onWarn,
  accent: styles.onAccent,
  faint: styles.onFaint,
}

function classOf({ ink, ground, isBold, isFaint, isItalic, isUnderlined, isStruck }: TextStyle): string {
  return [
    ink && INKS[ink],
    ground && GROUNDS[ground],
    isBold && styles.bold,
    isFaint && styles.faint,
    isItalic && styles.italic,
    isUnderlined && styles.underlined,
    isStruck && styles.struck,
  ]
    .filter(Boolean)
    .join(' ')
}
