// Overview of an environment: address, live deployment, latest tasks.
import type { Environment, Task } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { rollbackTargets } from '../../components/environment/rollback-targets.ts'
import { Snippet } from '../../components/snippet.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { durationsQuery, latestTasksQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { ChangedNotice } from './changed-notice.tsx'
import { isCharted } from './chart-bars.ts'
import { DeploymentList } from './deployment-list.tsx'
import { DeploymentsChart } from './deployments-chart.tsx'
import { Details } from './details.tsx'
import { durationSummary } from './duration-summary.ts'
import styles from './overview.module.css'
import { Serving } from './serving.tsx'
import { Traffic } from './traffic.tsx'
import { Usage } from './usage.tsx'

const SHOWN = 6

export function OverviewTab() {
  const { environment, project } = useCurrentPage()
  if (environment === undefined) return null
  return (
    <>
      <ChangedNotice environment={environment} />
      <div className={styles.columns}>
        <div>
          <Serving environment={environment} />
          <Latest environment={environment} />
        </div>
        <div className={styles.side}>
          <Details environment={environment} />
          <Usage environmentId={environment.id} />
          <Traffic environmentId={environment.id} />
          {project ? <CommandLine project={project.name} environment={environment} /> : undefined}
        </div>
      </div>
    </>
  )
}

function Latest({ environment }: { readonly environment: Environment }) {
  const { data: tasks, error, refetch } = useLiveQuery(latestTasksQuery(environment.id))
  if (tasks === undefined) {
    return (
      <div className="section">
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading deployments" />}
      </div>
    )
  }
  if (tasks.length === 0) {
    return (
      <div className="section">
        <Empty title="No deployments yet">
          {environment.status === 'awaiting_approval'
            ? 'The first one starts when an administrator approves a commit.'
            : `Press Deploy${environment.auto_deploy && !environment.protected ? `, or push to ${environment.branch}` : ''}.`}
        </Empty>
      </div>
    )
  }
  return <History environment={environment} tasks={tasks} />
}

function History({ environment, tasks }: { readonly environment: Environment; readonly tasks: readonly Task[] }) {
  const { data: usual } = useLiveQuery(durationsQuery(environment.id))
  return (
    <>
      {tasks.some(isCharted) ? (
        <DeploymentsChart tasks={tasks} summary={durationSummary(tasks, usual?.duration_ms)} />
      ) : undefined}
      <section className="section" aria-labelledby="deployments">
        <div className={styles.heading}>
          <h2 id="deployments">Deployments</h2>
          <Link
            className="link small"
            to="/environments/$environmentId/deployments"
            params={{ environmentId: environment.id }}
          >
            All deployments
          </Link>
        </div>
        <DeploymentList
          environment={environment}
          tasks={tasks.slice(0, SHOWN)}
          targets={rollbackTargets(tasks, environment)}
        />
      </section>
    </>
  )
}

type CommandLineProps = { readonly project: string; readonly environment: Environment }

function CommandLine({ project, environment }: CommandLineProps) {
  const target = `-p ${shellWord(project)} -e ${shellWord(environment.name)}`
  return (
    <section aria-labelledby="command-line">
      <h2 id="command-line">Command line</h2>
      <div className={styles.snippets}>
        <Snippet prompt="$" label="the deploy command" text={`shipway deploy ${target} --wait`} />
        <Snippet prompt="$" label="the diagnose command" text={`shipway diagnose ${target}`} />
        <Snippet prompt="$" label="the logs command" text={`shipway logs ${target} -f`} />
      </div>
    </section>
  )
}

/** Quotes a name for the shell. */
function shellWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
}
