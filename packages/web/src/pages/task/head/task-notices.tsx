// Notices above a task: locked environment, warnings, cancellation.
import { type Environment, type Task, warningsOf } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { Notice } from '../../../components/states.tsx'
import { useLiveQuery } from '../../../data/live-query.ts'
import { latestTasksQuery } from '../../../data/queries.ts'
import { describeReason } from '../../../text/reason.ts'
import { shortSha } from '../../../text/sha.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'

type NoticesProps = { readonly task: Task; readonly environment: Environment | undefined }

/** What was shown while the task ran keeps its place when it ends, so that the output below does not move. */
export function TaskNotices({ task, environment }: NoticesProps) {
  const isLocked = environment?.locked === true
  const [wasLocked, setWasLocked] = useState(isLocked)
  if (isLocked && !wasLocked) setWasLocked(true)
  // The environment may arrive after the task that has just ended. Until then the lock keeps the place that it leaves to what follows.
  const isBehind = isLocked && environment.active_task?.id === task.id && !isActive(task)
  const isWarned = !isBehind && task.status === 'succeeded' && warningsOfTask(task).length > 0
  const isCanceled = !isBehind && task.status === 'canceled'
  return (
    <>
      {isLocked ? <Locked environment={environment} task={task} /> : undefined}
      {isWarned ? <Warned task={task} /> : undefined}
      {isCanceled ? <Canceled task={task} environment={environment} /> : undefined}
      {wasLocked && !isLocked && !isWarned && !isCanceled ? <Unlocked isGone={environment === undefined} /> : undefined}
    </>
  )
}

function Locked({ environment, task }: { readonly environment: Environment; readonly task: Task }) {
  const other = environment.active_task?.id === task.id ? undefined : environment.active_task?.id
  return (
    <p className={styles.lock}>
      <Lock size={14} strokeWidth={1.5} aria-hidden="true" />
      <span>
        Deploy and Delete Environment are disabled while a deployment of this environment is queued or running.{' '}
        {other === undefined ? undefined : <ToTask id={other} environmentId={environment.id} />}
      </span>
    </p>
  )
}

/** As long as the sentence before it. */
function Unlocked({ isGone }: { readonly isGone: boolean }) {
  return (
    <p className={styles.lock}>
      <LockOpen size={14} strokeWidth={1.5} aria-hidden="true" />
      <span>
        {isGone
          ? 'This environment is no longer here: it was removed, or you have lost access to it.'
          : 'Deploy and Delete Environment are enabled again: no deployment of this environment is queued or running.'}
      </span>
    </p>
  )
}

const warningsOfTask = ({ phases }: Task): readonly string[] => warningsOf(phases.flatMap(({ steps }) => steps))

/** The deployment succeeded, but something needs attention. */
function Warned({ task }: { readonly task: Task }) {
  return (
    <div className={styles.notice}>
      {warningsOfTask(task).map((warning) => (
        <Notice key={warning} tone="warn">
          <b>Deployed, with a warning.</b> {warning}
        </Notice>
      ))}
    </div>
  )
}

function Canceled({ task, environment }: NoticesProps) {
  const { data: tasks = [] } = useLiveQuery(latestTasksQuery(task.environment_id), {
    isEnabled: environment !== undefined,
  })
  const newer = tasks.findLast(({ id }) => id > task.id)
  const why = task.reason === null ? 'canceled' : describeReason(task.reason)
  return (
    <div className={styles.notice}>
      <Notice tone="calm">
        <b>{why.replace(/^./, (letter) => letter.toUpperCase())}.</b>{' '}
        {task.started_at === null ? 'It never started.' : describeLeft(environment)}{' '}
        {task.reason === 'superseded' && newer ? (
          <ToTask id={newer.id} environmentId={task.environment_id} name={taskName(newer)} />
        ) : undefined}
      </Notice>
    </div>
  )
}

function describeLeft(environment: Environment | undefined): string {
  const live = environment?.live
  if (!live) return ''
  if (live.answers === null) return ''
  const what = `${live.commit_sha === null ? 'The version' : shortSha(live.commit_sha)} of deployment #${live.task_id}`
  return `${what} ${live.answers ? 'is still live' : 'is live but does not answer'}.`
}

type ToTaskProps = { readonly id: number; readonly environmentId: number; readonly name?: string }

function ToTask({ id, environmentId, name = `#${id}` }: ToTaskProps) {
  return (
    <Link className="link" to="/environments/$environmentId/tasks/$taskId" params={{ environmentId, taskId: id }}>
      Open {name}
    </Link>
  )
}
