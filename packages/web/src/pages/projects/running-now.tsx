// What is queued or running in the organization at this moment.
import { Link } from '@tanstack/react-router'
import list from '../../components/list.module.css'
import { Counting } from '../../components/moment.tsx'
import { Count } from '../../components/page.tsx'
import { useTold } from '../../data/live-query.ts'
import { activeTasksQuery } from '../../data/queries.ts'
import { taskShown } from '../../status/appearance.ts'
import { Way } from '../../status/phase-bar.tsx'
import { LoneSign } from '../../status/status-icon.tsx'
import { causeWords } from '../../text/cause.ts'
import styles from './projects.module.css'

export function RunningNow({ organizationId }: { readonly organizationId: number }) {
  const { data: tasks = [] } = useTold(activeTasksQuery(organizationId))
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
              <LoneSign shown={taskShown(task)} size={16} />
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
              <Way task={task} />
              <span className="small quiet">
                {task.started_at === null ? 'queued' : <Counting since={task.started_at} />}
              </span>
              <span className={`${styles.cause} cut small quiet`}>{causeWords(task)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
