// Waterfall of phases and steps. A click on a step opens its output.
import type { Phase, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useNow } from '../../../data/clock.ts'
import { stepAppearance } from '../../../status/appearance.ts'
import { phasesOf } from '../../../status/phases.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import { type Bar, barOf, formatElapsed, totalMsOf } from './bars.ts'
import { type Scale, scaleOf } from './scale.ts'
import styles from './steps.module.css'
import { describeTally, type KeyedStep } from './steps.ts'

type StepsPaneProps = {
  readonly task: Task
  readonly steps: readonly KeyedStep[]
  readonly chosen: string | undefined
  readonly isPhone: boolean
  readonly onChoose: () => void
}

export function StepsPane({ task, steps, chosen, isPhone, onChoose }: StepsPaneProps) {
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map())
  const now = useNow(task.status === 'running' ? 'second' : 'half_minute')
  const scale = scaleOf(totalMsOf(task, now))
  const when = { now, totalMs: scale.totalMs }
  return (
    <section className={styles.pane} aria-label="Phases and steps">
      <div className={styles.head}>
        <h2>Steps</h2>
        <span className="tiny faint figures">{describeTally(steps)}</span>
      </div>
      <div className={styles.scroll}>
        {task.started_at === null ? undefined : <Ruler scale={scale} />}
        <ol>
          {phasesOf(task).map(({ name, phase, state }) => {
            if (phase === undefined) return <Unbegun key={name} name={name} waits={state === 'waits'} />
            const own = steps.filter((keyed) => keyed.phase === phase)
            const isOpen = byHand.get(name) ?? (!isPhone || phase.status !== 'succeeded')
            return (
              <li key={name}>
                <PhaseRow
                  phase={phase}
                  bar={barOf(phase, task, when)}
                  took={formatElapsed(phase, now)}
                  isOpen={isOpen}
                  onToggle={() => setByHand(new Map(byHand).set(name, !isOpen))}
                />
                {isOpen ? (
                  <ol>
                    {own.map((keyed) => (
                      <li key={keyed.key}>
                        <StepRow
                          keyed={keyed}
                          bar={barOf(keyed.step, task, when)}
                          took={formatElapsed(keyed.step, now)}
                          isChosen={keyed.key === chosen}
                          onChoose={onChoose}
                        />
                      </li>
                    ))}
                  </ol>
                ) : undefined}
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

/** The time axis above the waterfall. */
function Ruler({ scale: { segments, figures } }: { readonly scale: Scale }) {
  return (
    <div className={styles.ruler} aria-hidden="true">
      {segments.map(({ from, width }, index) => (
        <i
          key={from}
          className={index % 2 === 0 ? styles.full : undefined}
          style={{ '--from': `${from * 100}%`, '--length': `${width * 100}%` } as CSSProperties}
        />
      ))}
      {figures.map(({ at, words }) => (
        <span key={at} style={{ '--from': `${at * 100}%` } as CSSProperties}>
          {words}
        </span>
      ))}
    </div>
  )
}

function Unbegun({ name, waits }: { readonly name: string; readonly waits: boolean }) {
  return (
    <li className={`${styles.row} ${styles.later}`}>
      <NamedStatusIcon appearance={stepAppearance({ status: waits ? 'pending' : 'skipped' })} />
      <span className="cut">{name}</span>
    </li>
  )
}

type RowProps = { readonly bar: Bar | undefined; readonly took: string | undefined }
type PhaseRowProps = RowProps & { readonly phase: Phase; readonly isOpen: boolean; readonly onToggle: () => void }

function PhaseRow({ phase, bar, took, isOpen, onToggle }: PhaseRowProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <button type="button" className={`${styles.row} ${styles.phase}`} aria-expanded={isOpen} onClick={onToggle}>
      <NamedStatusIcon appearance={stepAppearance(phase)} />
      <span className={styles.name}>
        <span className="cut" title={phase.name}>
          {phase.name}
        </span>
        <Chevron className={styles.chevron} size={12} strokeWidth={1.5} aria-hidden="true" />
      </span>
      <Track bar={bar} status={phase.status} />
      <span className={styles.time}>{took}</span>
    </button>
  )
}

type StepRowProps = RowProps & {
  readonly keyed: KeyedStep
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function StepRow({ keyed: { key, step }, bar, took, isChosen, onChoose }: StepRowProps) {
  const tone = step.status === 'failed' ? styles.failed : isChosen ? styles.chosen : ''
  return (
    <Link
      className={`${styles.row} ${styles.step} ${tone}`}
      to="."
      search={{ step: key }}
      hash=""
      replace
      resetScroll={false}
      aria-current={isChosen ? 'step' : undefined}
      onClick={onChoose}
      title={step.message ?? step.name}
    >
      <NamedStatusIcon appearance={stepAppearance(step)} />
      <span className="cut">{step.name}</span>
      <Track bar={bar} status={step.status} />
      <span className={styles.time}>{took}</span>
    </Link>
  )
}

function Track({ bar, status }: { readonly bar: Bar | undefined; readonly status: Phase['status'] }) {
  return (
    <span className={styles.track}>
      {bar === undefined ? undefined : (
        <i
          className={status === 'running' ? styles.runs : status === 'failed' ? styles.broken : undefined}
          style={{ '--from': `${bar.from * 100}%`, '--length': `${bar.length * 100}%` } as CSSProperties}
        />
      )}
    </span>
  )
}
