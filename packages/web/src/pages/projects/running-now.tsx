// Tasks of the organization that are queued or running.
import { Link } from '@tanstack/react-router'
import list from '../../components/list.module.css'
import { Count } from '../../components/page.tsx'
import { RunningTime } from '../../components/time.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { activeTasksQuery } from '../../data/queries.ts'
import { taskAppearance } from '../../status/appearance.ts'
import { PhaseBar } from '../../status/phase-bar.tsx'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import { describeCause } from '../../text/cause.ts'
import styles from './projects.module.css'

export function RunningNow({ organizationId }: { readonly organizationId: number }) {
  const { data: tasks = [] } = useLiveQuery(activeTasksQuery(organizationId))
  if (tasks.length === 0) return null
  return (
    <section className={`section ${styles.running}`} aria-labelledby="running">
      <h2 id="running">
        Running now <Count>{tasks.length}</Count>
      </h2>
      <ul className={list.list}>
        {tasks.map((task) => (
          <li key={task.id}>
            <div className={list.line}>
              <NamedStatusIcon appearance={taskAppearance(task)} size={16} />
              <span className={`${styles.number} quiet figures`}>#{task.id}</span>
              <Link
                className="cut"
                to="/environments/$environmentId/tasks/$taskId"
                params={{ environmentId: task.environment.id, taskId: task.id }}
              >
                <span className="strong">
                  {task.project.name} / {task.environment.name}
                </span>{' '}
                <span className="quiet">{task.commit?.message?.split('\n', 1)[0] ?? task.kind}</span>
              </Link>
              <PhaseBar task={task} />
              <span className="small quiet">
                {task.started_at === null ? 'queued' : <RunningTime since={task.started_at} />}
              </span>
              <span className={`${styles.cause} cut small quiet`}>{describeCause(task)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
