// Page of an environment: header, notices, tabs.
import type { Environment } from '@shipway/api'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Pin, ShieldCheck, Zap } from 'lucide-react'
import { PullRequestLink } from '../../components/git-links.tsx'
import { Count, PageHead, Tabs, Tag } from '../../components/page.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { actionsQuery, environmentQuery, variablesQuery } from '../../data/queries.ts'
import { PageNotFound } from '../../layout/page-failed.tsx'
import { environmentAppearance } from '../../status/appearance.ts'
import { StatusBadge } from '../../status/status-icon.tsx'
import { tabStateOfEnvironment } from '../../status/tab-state.ts'
import { environmentTitle } from '../../text/environment-title.ts'
import { isNotFound } from '../../text/problem.ts'
import { AlertsNotice } from './alerts-notice.tsx'
import { EnvironmentToolbar } from './environment-toolbar.tsx'
import { StateNotice } from './state-notice.tsx'

const icon = { size: 12, strokeWidth: 1.5, 'aria-hidden': true } as const

export function EnvironmentPage() {
  const { environmentId } = useParams({ from: '/signed-in/environments/$environmentId' })
  const { data: environment, error, refetch } = useLiveQuery(environmentQuery(environmentId))
  // Also if it was removed while the page was open.
  if (error && isNotFound(error)) return <PageNotFound />
  if (environment === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading environment" />
  }
  const { pull_request: request } = environment
  const title = environmentTitle(environment)
  return (
    <>
      <PageHead
        title={environment.name}
        name={environment.name}
        state={tabStateOfEnvironment(environment)}
        beside={<Marks environment={environment} />}
        {...((title !== '' || request !== null) && {
          under: (
            <>
              {request === null ? undefined : (
                <span>
                  <PullRequestLink request={request} />
                  {request.author === null ? undefined : `by ${request.author}`}
                </span>
              )}
              {title === '' ? undefined : <span>{title}</span>}
            </>
          ),
        })}
        buttons={<EnvironmentToolbar environment={environment} />}
      />
      <StateNotice environment={environment} />
      <AlertsNotice environmentId={environment.id} />
      <EnvironmentTabs environmentId={environmentId} />
      <Outlet />
    </>
  )
}

function Marks({ environment }: { readonly environment: Environment }) {
  return (
    <span className="row">
      <StatusBadge appearance={environmentAppearance(environment)} />
      {environment.sticky ? (
        <Tag>
          <Pin {...icon} />
          Sticky
        </Tag>
      ) : undefined}
      {environment.protected ? (
        <Tag>
          <ShieldCheck {...icon} />
          Protected
        </Tag>
      ) : undefined}
      {environment.auto_deploy && !environment.protected ? (
        <Tag>
          <Zap {...icon} />
          Auto-deploy
        </Tag>
      ) : undefined}
    </span>
  )
}

function EnvironmentTabs({ environmentId }: { readonly environmentId: number }) {
  const { data: variables } = useLiveQuery(variablesQuery(environmentId))
  const { data: actions } = useLiveQuery(actionsQuery(environmentId))
  const params = { environmentId }
  return (
    <Tabs label="Environment">
      <Link to="/environments/$environmentId" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Overview
      </Link>
      <Link to="/environments/$environmentId/deployments" params={params} activeOptions={{ includeSearch: false }}>
        Deployments
      </Link>
      <Link to="/environments/$environmentId/logs" params={params} activeOptions={{ includeSearch: false }}>
        Logs
      </Link>
      <Link to="/environments/$environmentId/metrics" params={params} activeOptions={{ includeSearch: false }}>
        Metrics
      </Link>
      <Link to="/environments/$environmentId/actions" params={params}>
        Actions
        {actions ? <Count>{actions.length}</Count> : undefined}
      </Link>
      <Link to="/environments/$environmentId/variables" params={params}>
        Variables
        {variables ? <Count>{variables.variables.length}</Count> : undefined}
      </Link>
      <Link to="/environments/$environmentId/settings" params={params}>
        Settings
      </Link>
    </Tabs>
  )
}
