// A pasted `.env` as keys: what each would become. The values are in memory until they are saved or thrown away, and are shown nowhere.
import type { ParsedEnv, Recipe, VariableChanges } from '@shipway/api'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Shown } from '../../status/appearance.ts'
import { Sign } from '../../status/status-icon.tsx'
import { Button } from '../button.tsx'
import { FormFault } from '../form.tsx'
import { Ago } from '../moment.tsx'
import { tell } from '../toast.tsx'
import { useSending } from '../use-submission.ts'
import { type Judged, judgePasted, type Known, tooMany, type Verdict } from './check-pasted.ts'
import styles from './variables.module.css'

type PastedProps = {
  readonly parsed: ParsedEnv
  readonly variables: readonly Known[]
  readonly recipe: Recipe
  readonly lockedBecause: string | undefined
  readonly onSave: (changes: VariableChanges) => Promise<void>
  readonly onClose: () => void
}

export function Pasted({ parsed, variables, recipe, lockedBecause, onSave, onClose }: PastedProps) {
  const [takenOut, setTakenOut] = useState<ReadonlySet<number>>(new Set())
  const sending = useSending()
  const rows = judgePasted(parsed, { known: variables, recipe }).filter(({ line }) => !takenOut.has(line))
  const refused = rows.filter(({ verdict }) => verdict === 'refused').map(({ line }) => line)
  const values = parsed.entries.filter(({ line }) => !takenOut.has(line))
  const takeOut = (lines: readonly number[]): void => setTakenOut(new Set([...takenOut, ...lines]))
  const save = async (): Promise<void> => {
    await onSave({ set: Object.fromEntries(values.map(({ key, value }) => [key, value])) })
    tell(`${counted(values.length)} saved`)
    onClose()
  }
  const fault = refused.length > 0 ? `All of it or nothing: take out ${linesWords(refused)} to save` : undefined
  const lock = lockedBecause ?? fault ?? (rows.length === 0 ? 'There is nothing to save' : tooMany(rows, variables))
  return (
    <section className={styles.pasted} aria-labelledby="pasted">
      <div className={styles.pastedHead}>
        <h2 id="pasted">Pasted .env</h2>
        <span className="tiny faint grow">
          {parsed.lineCount} {parsed.lineCount === 1 ? 'line' : 'lines'} read; the values are kept in this page only
          until you save
        </span>
        <Button look="quiet" isSmall isIcon aria-label="Throw away what was pasted" onClick={onClose}>
          <X size={14} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      </div>
      {rows.length === 0 ? <p className={styles.none}>No line of it is left.</p> : undefined}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <Row key={row.line} row={row} onTakeOut={() => takeOut([row.line])} />
        ))}
      </ul>
      <div className={styles.pastedFoot}>
        <div className="grow">
          <span className="small quiet">{lock === undefined ? 'All of it or nothing.' : `${lock}.`}</span>
          <FormFault sending={sending} />
        </div>
        {refused.length > 0 ? (
          <Button isSmall onClick={() => takeOut(refused)}>
            Take out {linesWords(refused)}
          </Button>
        ) : undefined}
        <Button
          isSmall
          look="primary"
          lockedBecause={lock}
          isBusy={sending.isBusy}
          onClick={() => void sending.send(save)}
        >
          Save {counted(rows.length - refused.length)}
        </Button>
      </div>
    </section>
  )
}

function Row({ row, onTakeOut }: { readonly row: Judged; readonly onTakeOut: () => void }) {
  const { line, key, verdict, detail, replaced } = row
  const shown = VERDICTS[verdict]
  return (
    <li className={styles.key}>
      <Sign {...shown} />
      {key === undefined ? (
        <span className="quiet">Line {line}</span>
      ) : (
        <code className="cut" title={key}>
          {key}
        </code>
      )}
      <span className="tiny quiet">{shown.word}</span>
      <span className={`tiny ${styles.why} ${verdict === 'refused' ? 'bad' : 'faint'}`}>
        {key === undefined ? undefined : `line ${line}${detail === undefined && !replaced ? '' : ', '}`}
        {detail}
        {detail !== undefined && replaced ? ', ' : undefined}
        {replaced ? <Replaced variable={replaced} /> : undefined}
      </span>
      <Button
        look="quiet"
        isSmall
        isIcon
        aria-label={key === undefined ? `Take out line ${line}` : `Take out ${key}`}
        onClick={onTakeOut}
      >
        <X size={12} strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </li>
  )
}

function Replaced({ variable: { updated_at, updated_by, source } }: { readonly variable: Known }) {
  if (source === 'project') return 'overrides that of the project'
  return (
    <>
      set by {updated_by.name} <Ago at={updated_at} />
    </>
  )
}

const VERDICTS: Readonly<Record<Verdict, Shown>> = {
  new: { silhouette: 'ticked', word: 'New', tone: 'good' },
  replaces: { silhouette: 'triangle', word: 'Replaces', tone: 'warn' },
  empty: { silhouette: 'ring', word: 'Empty value', tone: 'quiet' },
  refused: { silhouette: 'octagon', word: 'Refused', tone: 'bad' },
}

const counted = (count: number): string => `${count} ${count === 1 ? 'variable' : 'variables'}`

/** A few by their numbers; of many, how many. */
function linesWords(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`
  return lines.length <= 4 ? `lines ${lines.join(', ')}` : `${lines.length} lines`
}
