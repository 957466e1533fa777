// The `.service.yml` of a repository, or the one that would work, and what the check says about it.
import type { RepositoryReading } from '@shipway/api'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Notice } from '../../components/states.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import styles from './new-project.module.css'

type ReadingProps = {
  readonly reading: RepositoryReading
  readonly branch: string
  readonly isReading: boolean
  readonly onReadAgain: () => void
}

export function Reading({ reading, branch, isReading, onReadAgain }: ReadingProps) {
  const isMissing = reading.service_file === 'missing'
  const readAgain = (
    <Button isSmall isBusy={isReading} onClick={onReadAgain}>
      Look again
    </Button>
  )
  return (
    <section className="stack" aria-label=".service.yml">
      {isMissing ? (
        <Notice tone="warn" action={readAgain}>
          {branch} has no <code>.service.yml</code> yet. Add this file to the root of the repository and push it.
        </Notice>
      ) : undefined}
      <div className="row between">
        <h2 className={styles.fileName}>.service.yml</h2>
        <CopyButton text={reading.content} label="Copy .service.yml" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <pre className={styles.file} tabIndex={0}>
        {reading.content}
      </pre>
      <Findings reading={reading} />
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
