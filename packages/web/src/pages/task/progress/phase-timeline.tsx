// Phases of a task with their actual and usual durations.
import type { Task } from '@shipway/api'
import type { CSSProperties } from 'react'
import { useNow } from '../../../data/clock.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { durationsQuery } from '../../../data/queries.ts'
import { phasesOf, type TaskPhase } from '../../../status/phases.ts'
import { StatusIcon } from '../../../status/status-icon.tsx'
import { formatDuration } from '../../../text/duration.ts'
import { elapsedMs, formatElapsed } from '../steps/bars.ts'
import { isActive } from '../task-name.ts'
import { phaseFraction } from './phase-fraction.ts'
import styles from './phase-timeline.module.css'

/** Shorter durations are not shown. */
const MIN_SHOWN_MS = 50

export function PhaseTimeline({ task }: { readonly task: Task }) {
  const { data: durations } = useLiveQuery(durationsQuery(task.environment_id), {
    isEnabled: task.kind === 'deploy' || task.kind === 'reset',
  })
  const now = useNow(task.status === 'running' ? 'second' : 'half_minute')
  const phases = phasesOf(task)
  if (phases.length === 0) return null
  const usual = new Map(
    durations?.phases.flatMap(({ name, duration_ms: ms }) => (ms < MIN_SHOWN_MS ? [] : [[name, ms] as const])),
  )
  return (
    <ol
      className={isActive(task) ? `${styles.way} ${styles.moving}` : styles.way}
      style={{ '--phases': phases.length } as CSSProperties}
      aria-label="Phases"
    >
      {phases.map((keyed) => (
        <Phase key={keyed.name} keyed={keyed} usualMs={usual.get(keyed.name)} now={now} />
      ))}
    </ol>
  )
}

type PhaseProps = { readonly keyed: TaskPhase; readonly usualMs: number | undefined; readonly now: Date }

function Phase({ keyed: { name, phase, state }, usualMs, now }: PhaseProps) {
  const ms = phase && elapsedMs(phase, now)
  const isSlow =
    ms !== undefined && usualMs !== undefined && (state === 'runs' || (state === 'failed' && ms > 2 * usualMs))
  return (
    <li className={styles[state]} style={{ '--part': `${phaseFraction(ms ?? 0, usualMs) * 100}%` } as CSSProperties}>
      <i />
      <b>
        {state === 'runs' ? <StatusIcon shape="arc" tone="accent" size={13} /> : undefined}
        {state === 'failed' ? <StatusIcon shape="octagon" tone="bad" size={13} /> : undefined}
        {name}
        <span className="visually-hidden">, {STATE_LABELS[state]}</span>
      </b>
      <small>
        {phase && formatElapsed(phase, now)}
        <span className={styles.usual}>
          {isSlow ? `, usually ${formatDuration(usualMs)}` : undefined}
          {state === 'waits' && usualMs !== undefined ? `usually ${formatDuration(usualMs)}` : undefined}
          {state === 'unreached' ? (ms === undefined ? 'not reached' : ', canceled') : undefined}
          {state === 'done' && phase === undefined ? 'not needed' : undefined}
        </span>
      </small>
    </li>
  )
}

const STATE_LABELS: Readonly<Record<TaskPhase['state'], string>> = {
  waits: 'pending',
  runs: 'running',
  done: 'done',
  failed: 'failed',
  unreached: 'not reached',
}
