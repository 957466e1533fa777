// Header of a task's page.
import type { Environment, Task } from '@shipway/api'
import { GitBranch, GitPullRequest, Server } from 'lucide-react'
import { BranchLink, CommitLink, linkedProject, PullRequestLink } from '../../../components/git-links.tsx'
import { PageHead } from '../../../components/page.tsx'
import { Duration, RelativeTime } from '../../../components/time.tsx'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { taskAppearance } from '../../../status/appearance.ts'
import { StatusBadge } from '../../../status/status-icon.tsx'
import { tabStateOfTask } from '../../../status/tab-state.ts'
import { describeCause } from '../../../text/cause.ts'
import styles from '../task.module.css'
import { isActive, taskName } from '../task-name.ts'
import { TaskToolbar } from './task-toolbar.tsx'

const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const

type TaskHeadProps = { readonly task: Task; readonly environment: Environment | undefined }

export function TaskHead({ task, environment }: TaskHeadProps) {
  const name = taskName(task)
  return (
    <PageHead
      title={name}
      name={environment ? `${name} · ${environment.name}` : name}
      state={tabStateOfTask(task)}
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
  const { project } = useCurrentPage()
  const message = task.commit?.message?.split('\n', 1)[0]
  const request = environment?.pull_request ?? null
  return (
    <>
      {task.action === null ? undefined : <span>{task.action}</span>}
      {task.commit === null ? (
        <NoCommit task={task} />
      ) : (
        <span className={styles.commit}>
          <CommitLink project={environment?.upload ? undefined : project} sha={task.commit.sha} />
          <span className="cut" title={task.commit.message ?? undefined}>
            {message}
          </span>
          {task.commit.author === null ? undefined : <span className="cut faint">by {task.commit.author}</span>}
        </span>
      )}
      {request === null ? undefined : (
        <span>
          <GitPullRequest {...icon} />
          <span className="visually-hidden">Pull request</span>
          <PullRequestLink request={request} />
        </span>
      )}
      {task.branch === null ? undefined : (
        <span>
          <GitBranch {...icon} />
          <span className="visually-hidden">Branch</span>
          <BranchLink project={linkedProject(project, environment)} branch={task.branch} />
        </span>
      )}
      {environment === undefined ? undefined : (
        <span>
          <Server {...icon} />
          <span className="visually-hidden">Server</span>
          {environment.server.name}
        </span>
      )}
      <span className={styles.cause}>
        <span>
          {describeCause(task)}
          {isActive(task) && task.started_at !== null ? undefined : (
            <>
              , <RelativeTime at={task.finished_at ?? task.created_at} />
            </>
          )}
        </span>
      </span>
    </>
  )
}

/** Until the newest commit of the branch is found, in the first step. */
function NoCommit({ task }: { readonly task: Task }) {
  const isFinding = isActive(task) && (task.kind === 'deploy' || task.kind === 'reset')
  return isFinding ? (
    <span className={styles.commit}>Newest commit{task.branch ? ` of ${task.branch}` : ''}</span>
  ) : null
}
