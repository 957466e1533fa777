// Actions of an environment and their latest runs, and one-off commands.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { Empty, Failed, Loading } from '../../../components/states.tsx'
import { useLiveQuery } from '../../../data/live-query.ts'
import { actionRunsQuery, actionsQuery } from '../../../data/queries.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import overview from '../overview.module.css'
import { ActionList } from './action-list.tsx'
import { RunCommand } from './run-command.tsx'
import { RunList } from './run-list.tsx'

export function ActionsTab() {
  const { environment } = useCurrentPage()
  return environment === undefined ? null : <OfEnvironment environment={environment} />
}

function OfEnvironment({ environment }: { readonly environment: Environment }) {
  const { data: actions, error, refetch } = useLiveQuery(actionsQuery(environment.id))
  const { data: runs, error: runsError, refetch: refetchRuns } = useLiveQuery(actionRunsQuery(environment.id))
  if (actions === undefined || runs === undefined) {
    const problem = error ?? runsError
    const retry = (): void => void Promise.all([refetch(), refetchRuns()])
    return problem ? <Failed error={problem} onRetry={retry} /> : <Loading what="Loading actions" />
  }
  return (
    <>
      {actions.length === 0 ? (
        <Empty title="No actions yet">
          Define commands under <code>actions</code> in <code>.service.yml</code>, then deploy.
        </Empty>
      ) : (
        <ActionList environment={environment} actions={actions} runs={runs} />
      )}
      {runs.length > 0 ? (
        <section className="section" aria-labelledby="runs">
          <div className={overview.heading}>
            <h2 id="runs">Latest runs</h2>
            <Link
              className="link small"
              to="/environments/$environmentId/deployments"
              params={{ environmentId: environment.id }}
              search={{ kind: 'action' }}
            >
              All runs
            </Link>
          </div>
          <RunList runs={runs} />
        </section>
      ) : undefined}
      <RunCommand environment={environment} />
    </>
  )
}
