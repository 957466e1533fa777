// List of deployments, with rollback buttons.
import type { Environment, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { RollBack } from '../../components/environment/roll-back.tsx'
import list from '../../components/list.module.css'
import { Duration, RelativeTime } from '../../components/time.tsx'
import { whyNotStart } from '../../data/environment-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { taskAppearance } from '../../status/appearance.ts'
import { PhaseBar } from '../../status/phase-bar.tsx'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import { describeFailure, describeOrigin, taskTitle } from '../../text/task.ts'
import styles from './deployment-list.module.css'

type ListProps = {
  readonly environment: Environment
  readonly tasks: readonly Task[]
  /** Possible rollback targets. */
  readonly targets: readonly Task[]
}

export function DeploymentList({ environment, tasks, targets }: ListProps) {
  const { me, organization, project } = useCurrentPage()
  const [target, setTarget] = useState<Task>()
  const reason = whyNotStart({ me, organizationId: organization?.id, environment, project })
  const targetIds = new Set(targets.map(({ id }) => id))
  return (
    <>
      <ul className={`${list.list} ${targets.length === 0 ? styles.still : styles.list}`}>
        {tasks.map((task) => (
          <li key={task.id}>
            <Row task={task} isLive={environment.live?.task_id === task.id && task.status === 'succeeded'}>
              {targetIds.has(task.id) ? (
                <Button
                  variant="quiet"
                  isSmall
                  isIcon
                  disabledReason={reason}
                  aria-label={`Roll back to #${task.id}`}
                  title={`Roll back to #${task.id}…`}
                  onClick={() => setTarget(task)}
                >
                  <Undo2 size={14} strokeWidth={1.5} aria-hidden="true" />
                </Button>
              ) : undefined}
            </Row>
          </li>
        ))}
      </ul>
      <Dialog
        title={`Roll back ${environment.name}`}
        isOpen={target !== undefined}
        onClose={() => setTarget(undefined)}
        isWide
      >
        <RollBack
          environment={environment}
          targets={targets}
          {...(target && { first: target.id })}
          onClose={() => setTarget(undefined)}
        />
      </Dialog>
    </>
  )
}

type RowProps = { readonly task: Task; readonly isLive: boolean; readonly children: ReactNode }

function Row({ task, isLive, children }: RowProps) {
  const appearance = taskAppearance(task)
  const hasPhases = task.kind === 'deploy' || task.phases.length > 0
  return (
    <div className={`${list.line} ${styles.row}`}>
      {/* Succeeded tasks are grey, except the live one. */}
      <NamedStatusIcon
        appearance={isLive ? { ...appearance, label: 'Succeeded, live', tone: 'good' } : appearance}
        size={16}
      />
      <span className={`${styles.number} small faint figures`}>#{task.id}</span>
      <div className={styles.what}>
        <Link
          className={`cut small ${styles.link}`}
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: task.environment_id, taskId: task.id }}
          title={taskTitle(task)}
        >
          {taskTitle(task)}
        </Link>
        {task.status === 'failed' ? (
          <div className="cut tiny bad" title={describeFailure(task)}>
            {describeFailure(task)}
          </div>
        ) : (
          <div className="cut tiny faint" title={describeOrigin(task)}>
            {describeOrigin(task)}
          </div>
        )}
      </div>
      <span className={styles.phases}>{hasPhases ? <PhaseBar task={task} /> : undefined}</span>
      <span className={`${styles.took} small quiet`}>{task.started_at === null ? '–' : <Duration of={task} />}</span>
      <span className={`${styles.when} tiny faint`}>
        <RelativeTime at={task.finished_at ?? task.created_at} />
      </span>
      <span className={styles.rollBack}>{children}</span>
    </div>
  )
}
