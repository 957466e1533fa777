// Progress of a task as one segment per phase.
import type { Task } from '@shipway/api'
import styles from './phase-bar.module.css'
import { type PhaseState, phasesOf } from './phases.ts'

type BarTask = Pick<Task, 'status' | 'phases' | 'kind'>

export function PhaseBar({ task }: { readonly task: BarTask }) {
  const phases = phasesOf(task)
  const isMoving = task.status === 'running' || task.status === 'queued'
  return (
    <span
      className={`${styles.phaseBar} ${isMoving ? styles.moving : ''}`}
      role="img"
      aria-label={sentence(phases, task.status)}
    >
      {phases.map(({ name, state }) => (
        <i key={name} className={styles[state]} title={`${name}: ${LABELS[state]}`} />
      ))}
    </span>
  )
}

function sentence(phases: ReturnType<typeof phasesOf>, status: Task['status']): string {
  const failed = phases.find(({ state }) => state === 'failed')
  if (failed) return `Failed in ${failed.name}`
  const running = phases.find(({ state }) => state === 'runs')
  if (running) return `${running.name} is running`
  if (status === 'queued') return 'Queued, no phase has started'
  return `${phases.filter(({ state }) => state === 'done').length} of ${phases.length} phases done`
}

const LABELS: Readonly<Record<PhaseState, string>> = {
  waits: 'pending',
  runs: 'is running',
  done: 'done',
  failed: 'failed',
  unreached: 'not reached',
}
