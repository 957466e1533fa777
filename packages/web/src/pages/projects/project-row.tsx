// A project in the list: its slots and its latest task.
import type { Overview, Project } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import list from '../../components/list.module.css'
import { Pending } from '../../components/states.tsx'
import { RelativeTime, RunningTime } from '../../components/time.tsx'
import { taskAppearance } from '../../status/appearance.ts'
import { SlotMeter } from '../../status/slot-meter.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import { describeCause } from '../../text/cause.ts'
import { isAwaitingApproval } from '../project/awaiting-approval.ts'
import styles from './projects.module.css'

/** `overview`: undefined until it has arrived. */
type RowProps = { readonly project: Project; readonly overview: Overview | undefined }
type LatestTask = NonNullable<Overview['latest_task']>

export function ProjectRow({ project, overview }: RowProps) {
  return (
    <div className={list.line}>
      <div>
        <Link
          className={`${styles.name} cut strong`}
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          title={project.name}
        >
          {project.name}
        </Link>
        <div className="cut small quiet" title={project.domain}>
          {project.domain}
        </div>
      </div>
      <Slots project={project} overview={overview} />
      <div className={styles.latest}>
        {overview === undefined ? (
          <Pending what="Loading the latest deployment" />
        ) : overview.latest_task ? (
          <Latest task={overview.latest_task} />
        ) : (
          <Nothing project={project} />
        )}
      </div>
      <div className={`${styles.servers} cut small quiet`}>{project.servers.map(({ name }) => name).join(', ')}</div>
      <ChevronRight className={styles.chevron} size={16} strokeWidth={1.5} aria-hidden="true" />
    </div>
  )
}

function Slots({ project: { environments_used: used, environment_limit: limit }, overview }: RowProps) {
  const environments = overview?.environments ?? []
  const admitted = environments.filter((environment) => !isAwaitingApproval(environment))
  // As many as the page of the project lists.
  const waiting = (overview?.waiting_count ?? 0) + environments.length - admitted.length
  return (
    <div>
      {overview === undefined ? (
        <Pending what="Loading environments" />
      ) : (
        <SlotMeter environments={admitted} used={used} limit={limit} />
      )}
      <div className="small quiet">
        <span className="figures">
          {used}/{limit}
        </span>
        {waiting > 0 ? (
          <span className="warn strong">
            {' '}
            {waiting === 1 ? '1 pull request waits' : `${waiting} pull requests wait`}
          </span>
        ) : undefined}
      </div>
    </div>
  )
}

function Latest({ task }: { readonly task: LatestTask }) {
  const isMoving = task.finished_at === null
  return (
    <div className="row">
      <StatusIcon {...taskAppearance(task)} size={16} />
      <div className="grow">
        <Link
          className={`${styles.name} cut strong`}
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: task.environment.id, taskId: task.id }}
        >
          {task.environment.name} {outcome(task)}
        </Link>
        <div className="cut small quiet">
          {isMoving && task.started_at !== null ? (
            <>
              {task.phase === null ? '' : `${task.phase}, `}
              <RunningTime since={task.started_at} />
            </>
          ) : (
            <RelativeTime at={task.finished_at ?? task.created_at} />
          )}
          {' · '}
          {task.reason === 'superseded' ? 'superseded' : describeCause(task)}
        </div>
      </div>
    </div>
  )
}

function outcome({ status, phase, kind }: LatestTask): string {
  if (status === 'failed') return phase === null ? 'failed' : `failed in ${phase}`
  if (status === 'running') return kind === 'remove' ? 'is being removed' : 'deploying'
  return status
}

const Nothing = ({ project }: { readonly project: Project }) => (
  <div className="row quiet">
    <StatusIcon shape="ring" tone="quiet" size={16} />
    <div>
      <div>Nothing deployed yet</div>
      <div className="small">
        created <RelativeTime at={project.created_at} />
      </div>
    </div>
  </div>
)
