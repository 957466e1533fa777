// What broke, why, and whether anybody is hurt.
import type { Environment, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { buttonClass } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Sign } from '../../../status/status-icon.tsx'
import { stepsOf, telling } from '../steps/steps.ts'
import { diagnosisText, exitWords, hintPieces, sentenceOf, servesWords, titleWords } from './describe-diagnosis.ts'
import styles from './diagnosis.module.css'
import type { Excerpt } from './excerpt.ts'
import type { FoundDiagnosis } from './use-diagnosis.ts'

type DiagnosisProps = {
  readonly task: Task
  readonly environment: Environment | undefined
  readonly diagnosis: FoundDiagnosis
  /** Somebody goes to a line of the output. */
  readonly onShowLine: () => void
}

export function Diagnosis({ task, environment, diagnosis, onShowLine }: DiagnosisProps) {
  const { diagnostics, excerpt, linesBefore, guilty } = diagnosis
  return (
    <section className={styles.diagnosis} aria-labelledby="diagnosis">
      <div className={styles.top}>
        <Sign silhouette="octagon" tone="bad" size={20} />
        <div className={styles.words}>
          <h2 id="diagnosis">{titleWords(task)}</h2>
          <Sentence task={task} />
          {(diagnostics?.hints ?? []).map((hint) => (
            <Hint key={hint} hint={hint} />
          ))}
        </div>
        <div className={styles.acts}>
          <Link
            className={buttonClass({ isSmall: true })}
            to="/environments/$environmentId/variables"
            params={{ environmentId: task.environment_id }}
          >
            <KeyRound size={14} strokeWidth={1.5} aria-hidden="true" />
            Variables
          </Link>
          <CopyButton
            look="plain"
            label="Copy diagnostics"
            words="Copy diagnostics"
            text={() => diagnosisText(task, environment, diagnosis)}
          />
        </div>
      </div>
      {excerpt ? <Lines excerpt={excerpt} linesBefore={linesBefore} /> : undefined}
      <div className={styles.safe}>
        {environment ? <Serves task={task} environment={environment} /> : undefined}
        <ToOutput task={task} guilty={guilty} onShowLine={onShowLine} />
      </div>
    </section>
  )
}

function Sentence({ task }: { readonly task: Task }) {
  const words = [sentenceOf(task), exitWords(task)].filter((sentence) => sentence !== undefined)
  return words.length === 0 ? null : <p>{words.join('. ')}</p>
}

function Hint({ hint }: { readonly hint: string }) {
  return (
    <p className="small quiet">
      {hintPieces(hint).map(({ place, text, isCode }) => (isCode ? <code key={place}>{text}</code> : text))}
    </p>
  )
}

function Lines({ excerpt, linesBefore }: { readonly excerpt: Excerpt; readonly linesBefore: number | undefined }) {
  return (
    <ol className={styles.excerpt} aria-label="Output around the error">
      {excerpt.lines.map((line, index) => {
        const number = excerpt.first + index
        return (
          <li key={number} className={number === excerpt.guilty ? styles.guilty : undefined}>
            <span className={styles.number}>{linesBefore === undefined ? undefined : linesBefore + number}</span>
            <span className={styles.text}>{line}</span>
          </li>
        )
      })}
    </ol>
  )
}

function Serves({ task, environment }: { readonly task: Task; readonly environment: Environment }) {
  const serves = servesWords(task, environment)
  if (serves === undefined) return null
  const { isFine, words } = serves
  const live = environment.live
  return (
    <>
      <Sign silhouette={isFine ? 'disc' : 'ring'} tone={isFine ? 'good' : 'quiet'} />
      <span>
        {words}{' '}
        {live ? (
          <Link
            className="link"
            to="/environments/$environmentId/tasks/$taskId"
            params={{ environmentId: environment.id, taskId: live.task_id }}
          >
            Look at #{live.task_id}
          </Link>
        ) : undefined}
      </span>
    </>
  )
}

type ToOutputProps = { readonly task: Task; readonly guilty: number | undefined; readonly onShowLine: () => void }

function ToOutput({ task, guilty, onShowLine }: ToOutputProps) {
  const step = telling(stepsOf(task))?.key
  if (step === undefined) return null
  return (
    <Link
      className={`link ${styles.toLine}`}
      to="."
      search={guilty === undefined ? { step } : {}}
      hash={guilty === undefined ? '' : `L${guilty}`}
      replace
      resetScroll={false}
      hashScrollIntoView={false}
      onClick={onShowLine}
    >
      {guilty === undefined ? 'The step in the output' : `Line ${guilty} in the output`}
    </Link>
  )
}
