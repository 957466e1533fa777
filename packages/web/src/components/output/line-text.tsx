// Text of one line of output, with its colors and matches.
import styles from './lines.module.css'
import { type MarkedPart, type Span, spansOf, type TextStyle } from './spans.ts'

type LineTextProps = {
  readonly text: string
  readonly marks: readonly MarkedPart[] | undefined
  /** Shows the whole line wrapped. */
  readonly isWhole: boolean
  readonly hasCaret: boolean
  /** Where the rest of a very long line is, such as `in the raw log`. */
  readonly rest: string
}

/** Truncated lines are cut by CSS; text far beyond that is not rendered. */
const CUT_CHARACTERS = 1_000
const WHOLE_CHARACTERS = 100_000

export function LineText({ text, marks, isWhole, hasCaret, rest }: LineTextProps) {
  const most = isWhole ? WHOLE_CHARACTERS : CUT_CHARACTERS
  return (
    <span className={styles.text}>
      {keyed(spansOf(text.length > most ? text.slice(0, most) : text, marks)).map(([key, span]) => (
        <Part key={key} span={span} />
      ))}
      {isWhole && text.length > most ? <em>{` … and ${text.length - most} characters more, ${rest}`}</em> : undefined}
      {hasCaret ? <i className={styles.caret} /> : undefined}
    </span>
  )
}

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
