// The head of a task: what it is, how it goes, what it deploys, who started it, and what can be done.
import type { Environment, Task } from '@shipway/api'
import { Server } from 'lucide-react'
import { Ago, Duration } from '../../../components/moment.tsx'
import { PageHead } from '../../../components/page.tsx'
import { taskShown } from '../../../status/appearance.ts'
import { Badge } from '../../../status/status-icon.tsx'
import { causeWords } from '../../../text/cause.ts'
import { shortSha } from '../../../text/sha.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'
import { TaskActs } from './task-toolbar.tsx'

type TaskHeadProps = { readonly task: Task; readonly environment: Environment | undefined }

export function TaskHead({ task, environment }: TaskHeadProps) {
  const name = taskName(task)
  return (
    <PageHead
      title={name}
      name={environment ? `${name} · ${environment.name}` : name}
      beside={
        <>
          <Badge shown={taskShown(task)} />
          <span className="quiet">
            <Duration startedAt={task.started_at} ms={task.duration_ms} />
          </span>
        </>
      }
      under={<Origin task={task} environment={environment} />}
      {...(environment && { acts: <TaskActs task={task} environment={environment} /> })}
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
          {causeWords(task)}
          {isActive(task) && task.started_at !== null ? undefined : (
            <>
              , <Ago at={task.finished_at ?? task.created_at} />
            </>
          )}
        </span>
      </span>
      {environment === undefined ? undefined : (
        <span>
          <Server size={14} strokeWidth={1.5} aria-hidden="true" />
          <span className="unseen">Server</span>
          {environment.server.name}
        </span>
      )}
    </>
  )
}
