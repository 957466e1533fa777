// Bar chart of the last deployments by phase, with a table for screen readers.
import type { Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { taskAppearance } from '../../status/appearance.ts'
import { PHASES } from '../../status/phases.ts'
import { StatusIcon } from '../../status/status-icon.tsx'
import { formatDuration } from '../../text/duration.ts'
import { describeFailure, taskTitle } from '../../text/task.ts'
import styles from './chart.module.css'
import { type Bar, chartOf, phaseIndex } from './chart-bars.ts'

type ChartProps = { readonly tasks: readonly Task[]; readonly summary: ReactNode }

export function DeploymentsChart({ tasks, summary }: ChartProps) {
  const { bars, ticks } = chartOf(tasks)
  return (
    <section className="section" aria-labelledby="chart">
      <div className={styles.head}>
        <h2 id="chart">{bars.length === 1 ? 'Last deployment' : `Last ${bars.length} deployments`}</h2>
        <span className="tiny faint figures">{summary}</span>
      </div>
      <div className={styles.chart}>
        <div className={styles.ticks} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
        </div>
        <div className={styles.bars} aria-hidden="true">
          {bars.map((bar) => (
            <OneBar key={bar.task.id} bar={bar} />
          ))}
        </div>
      </div>
      <Legend parts={bars.flatMap(({ parts }) => parts)} />
      <div className="visually-hidden">
        <Table bars={bars} />
      </div>
    </section>
  )
}

function OneBar({ bar: { task, height, parts } }: { readonly bar: Bar }) {
  const isFailed = task.status === 'failed'
  return (
    <Link
      className={styles.bar}
      to="/environments/$environmentId/tasks/$taskId"
      params={{ environmentId: task.environment_id, taskId: task.id }}
      tabIndex={-1}
      title={barTitle(task)}
    >
      <span
        className={parts.length === 0 ? `${styles.stack} ${styles.nothing}` : styles.stack}
        style={{ height: `${Math.max(height * 100, 2)}%` }}
      >
        {parts.map(({ name, share, ms, isFailed: isBroken }) => (
          <i
            key={name}
            className={isBroken ? styles.failed : styles[`phase${phaseIndex(name)}`]}
            style={{ height: `${share * 100}%` }}
            title={`${barTitle(task)}\n${name}: ${formatDuration(ms)}${isBroken ? ', failed' : ''}`}
          />
        ))}
        {isFailed ? (
          <span className={styles.mark}>
            <StatusIcon shape="octagon" tone="bad" size={12} />
          </span>
        ) : undefined}
      </span>
    </Link>
  )
}

const barTitle = (task: Task): string =>
  `#${task.id} ${taskTitle(task)}: ${taskAppearance(task).label}${task.duration_ms === null ? '' : `, ${formatDuration(task.duration_ms)}`}`

/** Few projects have release commands. */
function Legend({ parts }: { readonly parts: Bar['parts'] }) {
  const isShown = (name: string): boolean => name !== 'Release' || parts.some((part) => part.name === name)
  return (
    <div className={styles.legend} aria-hidden="true">
      {PHASES.filter(isShown).map((name) => (
        <span key={name}>
          <i className={styles[`phase${phaseIndex(name)}`]} />
          {name}
        </span>
      ))}
      {parts.some(({ isFailed }) => isFailed) ? (
        <span>
          <StatusIcon shape="octagon" tone="bad" size={12} />
          Failed
        </span>
      ) : undefined}
    </div>
  )
}

function Table({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <table>
      <caption>Durations of the last deployments, the newest last</caption>
      <thead>
        <tr>
          <th scope="col">Deployment</th>
          <th scope="col">Outcome</th>
          <th scope="col">Duration</th>
          <th scope="col">Phases</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ task, parts }) => (
          <tr key={task.id}>
            <th scope="row">
              #{task.id} {taskTitle(task)}
            </th>
            <td>{task.status === 'failed' ? describeFailure(task) : taskAppearance(task).label}</td>
            <td>{task.duration_ms === null ? 'None' : formatDuration(task.duration_ms)}</td>
            <td>{parts.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
