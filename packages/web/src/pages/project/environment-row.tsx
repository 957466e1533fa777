// An environment in its project's list.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { GitBranch, ShieldCheck } from 'lucide-react'
import { DeployButton } from '../../components/deploy-button.tsx'
import { BranchLink, CommitLink, linkedProject, PullRequestLink } from '../../components/git-links.tsx'
import list from '../../components/list.module.css'
import { Tag } from '../../components/page.tsx'
import { RelativeTime, RunningTime } from '../../components/time.tsx'
import { useNow } from '../../data/clock.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { taskQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { CHANGED, environmentAppearance } from '../../status/appearance.ts'
import { PhaseBar } from '../../status/phase-bar.tsx'
import { currentPhase } from '../../status/phases.ts'
import { NamedStatusIcon, StatusBadge } from '../../status/status-icon.tsx'
import { describeCause } from '../../text/cause.ts'
import { describeCheckWait } from '../../text/check-wait.ts'
import { environmentTitle } from '../../text/environment-title.ts'
import { describeExpiry } from '../../text/expiry.ts'
import { describeServiceState, isUp } from '../../text/service-state.ts'
import { shortSha } from '../../text/sha.ts'
import styles from './environments.module.css'

const icon = { size: 13, strokeWidth: 1.5, 'aria-hidden': true } as const

export function EnvironmentRow({ environment }: { readonly environment: Environment }) {
  const { project } = useCurrentPage()
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={environmentAppearance(environment)} />
      <Name environment={environment} />
      <div className={styles.location}>
        <a className="cut" href={environment.url} target="_blank" rel="noreferrer" title={environment.url}>
          <div className="cut">{environment.domain}</div>
        </a>
        <div className="row small quiet">
          <GitBranch {...icon} />
          <span className="cut" title={environment.branch}>
            <BranchLink project={linkedProject(project, environment)} branch={environment.branch} />
          </span>
        </div>
      </div>
      <div className={styles.state}>
        <Latest environment={environment} />
      </div>
      <div className={styles.end}>
        <DeployButton environment={environment} isSmall />
      </div>
    </div>
  )
}

function Name({ environment }: { readonly environment: Environment }) {
  const { id, name, protected: isProtected, variables_changed } = environment
  return (
    <div>
      <div className="row">
        <Link className="cut strong" to="/environments/$environmentId" params={{ environmentId: id }} title={name}>
          {name}
        </Link>
        {isProtected ? (
          <Tag>
            <ShieldCheck {...icon} />
            Protected
          </Tag>
        ) : undefined}
        {variables_changed ? <StatusBadge appearance={CHANGED} /> : undefined}
      </div>
      <div className="cut small quiet" title={environmentTitle(environment)}>
        {environment.pull_request ? (
          <>
            <PullRequestLink request={environment.pull_request} />{' '}
          </>
        ) : undefined}
        {environmentTitle(environment)}
      </div>
      <Expiry environment={environment} />
      <WaitingForChecks environment={environment} />
    </div>
  )
}

function Expiry({ environment }: { readonly environment: Environment }) {
  const words = describeExpiry(environment, useNow('half_minute'))
  if (words === undefined) return null
  return <div className="small warn">{words}</div>
}

function WaitingForChecks({ environment: { waiting_for_checks: wait } }: { readonly environment: Environment }) {
  if (wait === null) return null
  return <div className={`cut small ${wait.state === 'waiting' ? 'quiet' : 'warn'}`}>{describeCheckWait(wait)}</div>
}

function Latest({ environment }: { readonly environment: Environment }) {
  const taskId = environment.active_task?.id ?? environment.last_deployment?.id
  const { project } = useCurrentPage()
  const { data: task } = useLiveQuery(taskQuery(taskId ?? 0), { isEnabled: taskId !== undefined })
  if (taskId === undefined) return <div className="quiet">Not deployed yet</div>
  const seen = describeServices(environment)
  return (
    <>
      <div className="row">
        {task && task.kind === 'deploy' ? <PhaseBar task={task} /> : undefined}
        <Link
          className={`cut ${TONES[environment.status] ?? ''}`}
          to="/environments/$environmentId/tasks/$taskId"
          params={{ environmentId: environment.id, taskId }}
        >
          {environment.status === 'running' || environment.status === 'degraded' || task === undefined ? (
            environmentAppearance(environment).label
          ) : environment.status === 'failed' ? (
            `Failed in ${currentPhase(task) ?? task.failed_step?.phase ?? 'its deployment'}`
          ) : (
            <>
              {task.status === 'queued' ? 'Queued' : (currentPhase(task) ?? 'Deploying')}
              {task.started_at !== null && task.finished_at === null ? (
                <>
                  , <RunningTime since={task.started_at} />
                </>
              ) : undefined}
            </>
          )}
        </Link>
      </div>
      <div className="cut small quiet">
        {seen === undefined ? undefined : `${seen} · `}
        {task?.commit ? (
          <CommitLink project={environment.upload ? undefined : project} sha={task.commit.sha} />
        ) : undefined}
        {task ? (
          <>
            {' · '}
            <RelativeTime at={task.finished_at ?? task.created_at} /> · {describeCause(task)}
          </>
        ) : undefined}
      </div>
    </>
  )
}

const TONES: Partial<Readonly<Record<Environment['status'], string>>> = { failed: 'bad', degraded: 'warn' }

/** State of the services that are not up; only if checked recently. */
function describeServices({ status, live, services }: Environment): string | undefined {
  if (status === 'degraded') {
    const broken = services.filter((service) => !isUp(service))
    return broken.map((service) => `${service.name}: ${describeServiceState(service).toLowerCase()}`).join(', ')
  }
  if (status !== 'failed' || !live || live.answers === null) return undefined
  const what = live.commit_sha === null ? `#${live.task_id}` : shortSha(live.commit_sha)
  return live.answers ? `${what} still serves` : `${what} does not answer`
}
