// Runs of actions with their artifacts, or of one-off commands; newest first.
import type { Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { ArtifactList } from '../../../components/artifacts/artifact-list.tsx'
import list from '../../../components/list.module.css'
import { Duration, RelativeTime } from '../../../components/time.tsx'
import { taskAppearance } from '../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import { describeFailure, describeOrigin, taskTitle } from '../../../text/task.ts'
import styles from './actions.module.css'

export function RunList({ runs }: { readonly runs: readonly Task[] }) {
  return (
    <ul className={`${list.list} ${list.still} ${styles.runs}`}>
      {runs.map((task) => (
        <li key={task.id}>
          <Run task={task} />
          {task.kind === 'action' && task.status === 'succeeded' ? (
            <div className={styles.artifacts}>
              <ArtifactList taskId={task.id} />
            </div>
          ) : undefined}
        </li>
      ))}
    </ul>
  )
}

function Run({ task }: { readonly task: Task }) {
  const words = task.status === 'failed' ? describeFailure(task) : describeOrigin(task)
  return (
    <div className={`${list.line} ${styles.run}`}>
      <NamedStatusIcon appearance={taskAppearance(task)} size={16} />
      <div>
        <Link
          className="cut small link"
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: task.environment_id, taskId: task.id }}
        >
          {task.kind === 'run' ? taskTitle(task) : task.action} #{task.id}
        </Link>
        <div className={`cut tiny ${task.status === 'failed' ? 'bad' : 'faint'}`} title={words}>
          {words}
        </div>
      </div>
      <span className={`small quiet ${styles.took}`}>{task.started_at === null ? '–' : <Duration of={task} />}</span>
      <span className={`tiny faint ${styles.when}`}>
        <RelativeTime at={task.finished_at ?? task.created_at} />
      </span>
    </div>
  )
}
