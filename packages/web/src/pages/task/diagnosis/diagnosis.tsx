// Panel that explains a failed task: error, hints, and what visitors get.
import type { Environment, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { buttonClass } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { StatusIcon } from '../../../status/status-icon.tsx'
import { decisiveStep, stepsOf } from '../steps/steps.ts'
import {
  describeExit,
  describeVisitors,
  diagnosisText,
  diagnosisTitle,
  hintPieces,
  sentenceOf,
} from './describe-diagnosis.ts'
import styles from './diagnosis.module.css'
import type { Excerpt } from './excerpt.ts'
import type { FoundDiagnosis } from './use-diagnosis.ts'

type DiagnosisProps = {
  readonly task: Task
  readonly environment: Environment | undefined
  readonly diagnosis: FoundDiagnosis
  /** Called when the user opens a line of the output. */
  readonly onShowLine: () => void
}

export function Diagnosis({ task, environment, diagnosis, onShowLine }: DiagnosisProps) {
  const { diagnostics, excerpt, linesBefore, errorLine } = diagnosis
  return (
    <section className={styles.diagnosis} aria-labelledby="diagnosis">
      <div className={styles.top}>
        <StatusIcon shape="octagon" tone="bad" size={20} />
        <div className={styles.content}>
          <h2 id="diagnosis">{diagnosisTitle(task)}</h2>
          <Sentence task={task} />
          {(diagnostics?.hints ?? []).map((hint) => (
            <Hint key={hint} hint={hint} />
          ))}
        </div>
        <div className={styles.buttons}>
          <Link
            className={buttonClass({ isSmall: true })}
            to="/environments/$environmentId/variables"
            params={{ environmentId: task.environment_id }}
          >
            <KeyRound size={14} strokeWidth={1.5} aria-hidden="true" />
            Variables
          </Link>
          <CopyButton
            variant="plain"
            label="Copy diagnostics"
            words="Copy diagnostics"
            text={() => diagnosisText(task, environment, diagnosis)}
          />
        </div>
      </div>
      {excerpt ? <Lines excerpt={excerpt} linesBefore={linesBefore} /> : undefined}
      <div className={styles.safe}>
        {environment ? <Serves task={task} environment={environment} /> : undefined}
        <ToOutput task={task} errorLine={errorLine} onShowLine={onShowLine} />
      </div>
    </section>
  )
}

function Sentence({ task }: { readonly task: Task }) {
  const words = [sentenceOf(task), describeExit(task)].filter((sentence) => sentence !== undefined)
  return words.length === 0 ? null : <p>{words.join('. ')}</p>
}

function Hint({ hint }: { readonly hint: string }) {
  return (
    <p className="small quiet">
      {hintPieces(hint).map(({ index, text, isCode }) => (isCode ? <code key={index}>{text}</code> : text))}
    </p>
  )
}

function Lines({ excerpt, linesBefore }: { readonly excerpt: Excerpt; readonly linesBefore: number | undefined }) {
  return (
    <ol className={styles.excerpt} aria-label="Output around the error">
      {excerpt.lines.map((line, index) => {
        const number = excerpt.first + index
        return (
          <li key={number} className={number === excerpt.errorLine ? styles.errorLine : undefined}>
            <span className={styles.number}>{linesBefore === undefined ? undefined : linesBefore + number}</span>
            <span className={styles.text}>{line}</span>
          </li>
        )
      })}
    </ol>
  )
}

function Serves({ task, environment }: { readonly task: Task; readonly environment: Environment }) {
  const serves = describeVisitors(task, environment)
  if (serves === undefined) return null
  const { isFine, words } = serves
  const live = environment.live
  return (
    <>
      <StatusIcon shape={isFine ? 'disc' : 'ring'} tone={isFine ? 'good' : 'quiet'} />
      <span>
        {words}{' '}
        {live ? (
          <Link
            className="link"
            to="/environments/$environmentId/tasks/$taskId"
            params={{ environmentId: environment.id, taskId: live.task_id }}
          >
            Open #{live.task_id}
          </Link>
        ) : undefined}
      </span>
    </>
  )
}

type ToOutputProps = { readonly task: Task; readonly errorLine: number | undefined; readonly onShowLine: () => void }

function ToOutput({ task, errorLine, onShowLine }: ToOutputProps) {
  const step = decisiveStep(stepsOf(task))?.key
  if (step === undefined || task.log_expired_at !== null) return null
  return (
    <Link
      className={`link ${styles.toLine}`}
      to="."
      search={errorLine === undefined ? { step } : {}}
      hash={errorLine === undefined ? '' : `L${errorLine}`}
      replace
      resetScroll={false}
      hashScrollIntoView={false}
      onClick={onShowLine}
    >
      {errorLine === undefined ? 'Open in the output' : `Line ${errorLine} in the output`}
    </Link>
  )
}
