// Page of a project: header and tabs.
import type { Project } from '@shipway/api'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { GitBranch, Globe, Server } from 'lucide-react'
import { RepositoryLink } from '../../components/git-links.tsx'
import { Count, PageHead, Tabs } from '../../components/page.tsx'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { environmentsQuery, projectQuery, waitingQuery } from '../../data/queries.ts'
import { PageNotFound } from '../../layout/page-failed.tsx'
import { isNotFound } from '../../text/problem.ts'
import { isAwaitingApproval } from './awaiting-approval.ts'
import { NewEnvironmentButton } from './new-environment.tsx'

const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const

export function ProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project, error, refetch } = useLiveQuery(projectQuery(projectId))
  if (project === undefined) {
    if (error && isNotFound(error)) return <PageNotFound />
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading project" />
  }
  return (
    <>
      <PageHead
        title={project.name}
        name={project.name}
        under={<ProjectFacts project={project} />}
        buttons={<NewEnvironmentButton project={project} />}
      />
      {project.status === 'deleting' ? <Deleting project={project} /> : undefined}
      <ProjectTabs projectId={projectId} />
      <Outlet />
    </>
  )
}

function ProjectFacts({ project }: { readonly project: Project }) {
  return (
    <>
      <span>
        <GitBranch {...icon} />
        <RepositoryLink project={project} />
      </span>
      <span>
        <Globe {...icon} />
        *.{project.domain}
      </span>
      <span>
        <Server {...icon} />
        {project.servers.map(({ name }) => name).join(', ')}
      </span>
    </>
  )
}

function Deleting({ project: { status_reason } }: { readonly project: Project }) {
  return (
    <div className="section">
      <Notice>
        <b>This project is being deleted.</b>{' '}
        {status_reason ?? 'Its environments are being removed from their servers first.'}
      </Notice>
    </div>
  )
}

function ProjectTabs({ projectId }: { readonly projectId: number }) {
  const { data: waiting = [] } = useLiveQuery(waitingQuery(projectId))
  const { data: environments = [] } = useLiveQuery(environmentsQuery(projectId))
  // As many as the section of waiting pull requests lists.
  const count = waiting.length + environments.filter(isAwaitingApproval).length
  const params = { projectId }
  return (
    <Tabs label="Project">
      <Link to="/projects/$projectId" params={params} activeOptions={{ exact: true }}>
        Environments
        {count > 0 ? <Count>{count} waiting</Count> : undefined}
      </Link>
      <Link to="/projects/$projectId/connect" params={params}>
        Connect
      </Link>
      <Link to="/projects/$projectId/deliveries" params={params}>
        Deliveries
      </Link>
      <Link to="/projects/$projectId/variables" params={params}>
        Variables
      </Link>
      <Link to="/projects/$projectId/members" params={params}>
        Members
      </Link>
      <Link to="/projects/$projectId/settings" params={params}>
        Settings
      </Link>
    </Tabs>
  )
}
