// Review of a pasted `.env` before saving. Values stay in memory only and are never rendered.
import type { ParsedEnv, Recipe, VariableChanges } from '@shipway/api'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Appearance } from '../../status/appearance.ts'
import { StatusIcon } from '../../status/status-icon.tsx'
import { Button } from '../button.tsx'
import { FormError } from '../form.tsx'
import { RelativeTime } from '../time.tsx'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'
import { type CheckedLine, checkPasted, type KnownVariable, tooMany, type Verdict } from './check-pasted.ts'
import styles from './variables.module.css'

type PastedVariablesProps = {
  readonly parsed: ParsedEnv
  readonly variables: readonly KnownVariable[]
  readonly recipe: Recipe
  readonly disabledReason: string | undefined
  readonly onSave: (changes: VariableChanges) => Promise<void>
  readonly onClose: () => void
}

export function PastedVariables({ parsed, variables, recipe, disabledReason, onSave, onClose }: PastedVariablesProps) {
  const [takenOut, setTakenOut] = useState<ReadonlySet<number>>(new Set())
  const submission = useSubmission()
  const rows = checkPasted(parsed, { known: variables, recipe }).filter(({ line }) => !takenOut.has(line))
  const refused = rows.filter(({ verdict }) => verdict === 'refused').map(({ line }) => line)
  const values = parsed.entries.filter(({ line }) => !takenOut.has(line))
  const takeOut = (lines: readonly number[]): void => setTakenOut(new Set([...takenOut, ...lines]))
  const save = async (): Promise<void> => {
    await onSave({ set: Object.fromEntries(values.map(({ key, value }) => [key, value])) })
    showToast(`${counted(values.length)} saved`)
    onClose()
  }
  const fault =
    refused.length > 0 ? `Remove ${describeLines(refused)} to save. All lines are saved together, or none` : undefined
  const reason = disabledReason ?? fault ?? (rows.length === 0 ? 'Nothing to save' : tooMany(rows, variables))
  return (
    <section className={styles.pasted} aria-labelledby="pasted">
      <div className={styles.pastedHead}>
        <h2 id="pasted">Pasted .env</h2>
        <span className="tiny faint grow">
          {parsed.lineCount} {parsed.lineCount === 1 ? 'line' : 'lines'} read; the values are kept in this page only
          until you save
        </span>
        <Button variant="quiet" isSmall isIcon aria-label="Discard" onClick={onClose}>
          <X size={14} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      </div>
      {rows.length === 0 ? <p className={styles.none}>No lines left.</p> : undefined}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <Row key={row.line} row={row} onTakeOut={() => takeOut([row.line])} />
        ))}
      </ul>
      <div className={styles.pastedFoot}>
        <div className="grow">
          <span className="small quiet">
            {reason === undefined ? 'All lines are saved together, or none.' : `${reason}.`}
          </span>
          <FormError submission={submission} />
        </div>
        {refused.length > 0 ? (
          <Button isSmall onClick={() => takeOut(refused)}>
            Remove {describeLines(refused)}
          </Button>
        ) : undefined}
        <Button
          isSmall
          variant="primary"
          disabledReason={reason}
          isBusy={submission.isBusy}
          onClick={() => void submission.submit(save)}
        >
          Save {counted(rows.length - refused.length)}
        </Button>
      </div>
    </section>
  )
}

function Row({ row, onTakeOut }: { readonly row: CheckedLine; readonly onTakeOut: () => void }) {
  const { line, key, verdict, detail, replaced } = row
  const appearance = VERDICTS[verdict]
  return (
    <li className={styles.key}>
      <StatusIcon {...appearance} />
      {key === undefined ? (
        <span className="quiet">Line {line}</span>
      ) : (
        <code className="cut" title={key}>
          {key}
        </code>
      )}
      <span className="tiny quiet">{appearance.label}</span>
      <span className={`tiny ${styles.why} ${verdict === 'refused' ? 'bad' : 'faint'}`}>
        {key === undefined ? undefined : `line ${line}${detail === undefined && !replaced ? '' : ', '}`}
        {detail}
        {detail !== undefined && replaced ? ', ' : undefined}
        {replaced ? <Replaced variable={replaced} /> : undefined}
      </span>
      <Button
        variant="quiet"
        isSmall
        isIcon
        aria-label={key === undefined ? `Remove line ${line}` : `Remove ${key}`}
        onClick={onTakeOut}
      >
        <X size={12} strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </li>
  )
}

function Replaced({ variable: { updated_at, updated_by, source } }: { readonly variable: KnownVariable }) {
  if (source === 'project') return 'overrides the value of the project'
  return (
    <>
      set by {updated_by.name} <RelativeTime at={updated_at} />
    </>
  )
}

const VERDICTS: Readonly<Record<Verdict, Appearance>> = {
  new: { shape: 'ticked', label: 'New', tone: 'good' },
  replaces: { shape: 'triangle', label: 'Replaces', tone: 'warn' },
  empty: { shape: 'ring', label: 'Empty value', tone: 'quiet' },
  refused: { shape: 'octagon', label: 'Refused', tone: 'bad' },
}

const counted = (count: number): string => `${count} ${count === 1 ? 'variable' : 'variables'}`

/** Lists up to four line numbers, else the count. */
function describeLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`
  return lines.length <= 4 ? `lines ${lines.join(', ')}` : `${lines.length} lines`
}
