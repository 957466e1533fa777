// Header of a task's page.
import type { Environment, Task } from '@shipway/api'
import { Server } from 'lucide-react'
import { PageHead } from '../../../components/page.tsx'
import { Duration, RelativeTime } from '../../../components/time.tsx'
import { taskAppearance } from '../../../status/appearance.ts'
import { StatusBadge } from '../../../status/status-icon.tsx'
import { describeCause } from '../../../text/cause.ts'
import { shortSha } from '../../../text/sha.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'
import { TaskToolbar } from './task-toolbar.tsx'

type TaskHeadProps = { readonly task: Task; readonly environment: Environment | undefined }

export function TaskHead({ task, environment }: TaskHeadProps) {
  const name = taskName(task)
  return (
    <PageHead
      title={name}
      name={environment ? `${name} · ${environment.name}` : name}
      beside={
        <>
          <StatusBadge appearance={taskAppearance(task)} />
          <span className="quiet">
            <Duration of={task} />
          </span>
        </>
      }
      under={<Origin task={task} environment={environment} />}
      {...(environment && { buttons: <TaskToolbar task={task} environment={environment} /> })}
    />
  )
}

function Origin({ task, environment }: TaskHeadProps) {
  const message = task.commit?.message?.split('\n', 1)[0]
  return (
    <>
      {task.action === null ? undefined : <span>{task.action}</span>}
      {task.commit === null ? undefined : (
        <span className={styles.commit}>
          <code title={task.commit.sha}>{shortSha(task.commit.sha)}</code>
          <span className="cut" title={task.commit.message ?? undefined}>
            {message}
          </span>
        </span>
      )}
      <span>
        <span>
          {describeCause(task)}
          {isActive(task) && task.started_at !== null ? undefined : (
            <>
              , <RelativeTime at={task.finished_at ?? task.created_at} />
            </>
          )}
        </span>
      </span>
      {environment === undefined ? undefined : (
        <span>
          <Server size={14} strokeWidth={1.5} aria-hidden="true" />
          <span className="visually-hidden">Server</span>
          {environment.server.name}
        </span>
      )}
    </>
  )
}
