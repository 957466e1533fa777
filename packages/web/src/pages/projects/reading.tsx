// The `.service.yml` of a repository, or the one that would work, and what the check says about it.
import type { RepositoryReading } from '@shipway/api'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { TextArea } from '../../components/form.tsx'
import { Notice } from '../../components/states.tsx'
import type { Submission } from '../../components/use-submission.ts'
import { StatusIcon } from '../../status/status-icon.tsx'
import styles from './new-project.module.css'

type ReadingProps = {
  readonly reading: RepositoryReading
  readonly branch: string
  /** The file that the project will keep, where the branch has none. */
  readonly file: string
  readonly onChange: (file: string) => void
  readonly submission: Submission
  readonly isReading: boolean
  readonly onReadAgain: () => void
}

export function Reading({ reading, branch, file, onChange, submission, isReading, onReadAgain }: ReadingProps) {
  const isMissing = reading.service_file === 'missing'
  const readAgain = (
    <Button isSmall isBusy={isReading} onClick={onReadAgain}>
      Look again
    </Button>
  )
  return (
    <section className="stack" aria-label=".service.yml">
      {isMissing ? (
        <Notice tone="calm" action={readAgain}>
          {branch} has no <code>.service.yml</code>. The project keeps this one in its settings, until a commit has its
          own.
        </Notice>
      ) : undefined}
      <div className="row between">
        <h2 className={styles.fileName}>.service.yml</h2>
        <CopyButton text={file} label="Copy .service.yml" />
      </div>
      {isMissing ? (
        <TextArea
          label="The file"
          hint="You can change it here, and later in the settings."
          pointer="/service_file"
          submission={submission}
          rows={Math.min(16, file.split('\n').length + 1)}
          spellCheck={false}
          value={file}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
        <pre className={styles.file} tabIndex={0}>
          {reading.content}
        </pre>
      )}
      {isMissing && file !== reading.content ? (
        <p className="small quiet">Your version is checked when the project is created.</p>
      ) : (
        <Findings reading={reading} />
      )}
      {isMissing || countFaults(reading) === 0 ? undefined : <div>{readAgain}</div>}
    </section>
  )
}

const SIGNS = {
  fault: { shape: 'octagon', tone: 'bad', label: 'Problem' },
  note: { shape: 'diamond', tone: 'quiet', label: 'Note' },
  later: { shape: 'ring', tone: 'quiet', label: 'Known at deployment' },
} as const

export const countFaults = ({ findings }: RepositoryReading): number =>
  findings.filter(({ kind }) => kind === 'fault').length

function Findings({ reading }: Pick<ReadingProps, 'reading'>) {
  const { findings, service_file: file } = reading
  const faults = countFaults(reading)
  const wouldDeploy = faults === 0
  const verdict = wouldDeploy
    ? `The check finds no problem${file === 'missing' ? ' with this file' : ''}.`
    : `${faults === 1 ? 'One problem' : `${faults} problems`} would fail a deployment.`
  return (
    <>
      <p className="small row">
        <StatusIcon {...(wouldDeploy ? ({ shape: 'tick', tone: 'good' } as const) : SIGNS.fault)} size={14} />
        {verdict}
      </p>
      {findings.length === 0 ? undefined : (
        <ul className={styles.findings} aria-label="Findings">
          {findings.map(({ kind, file, line, message }) => (
            <li key={`${file}:${line}:${message}`}>
              <StatusIcon shape={SIGNS[kind].shape} tone={SIGNS[kind].tone} size={14} />
              <span>
                <span className="visually-hidden">{SIGNS[kind].label}: </span>
                <code>{`${file}:${line}`}</code> {message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
