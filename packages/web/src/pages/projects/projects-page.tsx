// All projects of an organization, with their slots and latest tasks.
import type { LiveTopic } from '@shipway/api'
import { Link, useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import list from '../../components/list.module.css'
import { Count, PageHead } from '../../components/page.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useTopics } from '../../data/live.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { overviewQuery, projectsQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { ProjectRow } from './project-row.tsx'
import styles from './projects.module.css'
import { RunningNow } from './running-now.tsx'

const MOST_TOPICS = 80

export function ProjectsPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/' })
  const { data: projects, error, refetch } = useLiveQuery(projectsQuery(organizationId))
  const [filter, setFilter] = useState('')
  return (
    <>
      <PageHead
        title={
          <>
            Projects <Count>{projects?.length}</Count>
          </>
        }
        name="Projects"
        buttons={
          <>
            <SearchField
              label="Search projects"
              placeholder="Name, repository or domain"
              value={filter}
              onChange={setFilter}
            />
            <NewProjectLink organizationId={organizationId} />
          </>
        }
      />
      {projects === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="Loading projects" />
        )
      ) : projects.length === 0 ? (
        <NoProjects organizationId={organizationId} />
      ) : (
        <Projects organizationId={organizationId} filter={filter} />
      )}
      <RunningNow organizationId={organizationId} />
    </>
  )
}

function Projects({ organizationId, filter }: { readonly organizationId: number; readonly filter: string }) {
  const { data: projects = [] } = useLiveQuery(projectsQuery(organizationId))
  const { data: overviews = [] } = useLiveQuery(overviewQuery(organizationId))
  // A connection has a limited number of topics.
  useTopics(projects.slice(0, MOST_TOPICS).map(({ id }): LiveTopic => `project:${id}`))
  const wanted = filter.trim().toLowerCase()
  const found = projects.filter(({ name, repo_url, domain }) =>
    [name, repo_url, domain].some((text) => text.toLowerCase().includes(wanted)),
  )
  if (found.length === 0) {
    return <p className="quiet">No project matches “{filter}”.</p>
  }
  return (
    <div className={styles.list}>
      <div className={list.heads} aria-hidden="true">
        <span>Project</span>
        <span>Environments, used/limit</span>
        <span>Latest deployment</span>
        <span>Servers</span>
      </div>
      <ul className={list.list}>
        {found.map((project) => (
          <li key={project.id}>
            <ProjectRow project={project} overview={overviews.find(({ project_id }) => project_id === project.id)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NewProjectLink({ organizationId }: { readonly organizationId: number }) {
  const { me } = useCurrentPage()
  const reason = missingPermission('administer', { me, organizationId })
  if (reason !== undefined) return <span className="small quiet">{reason}</span>
  return (
    <Link
      className={buttonClass({ variant: 'primary' })}
      to="/organizations/$organizationId/projects/new"
      params={{ organizationId }}
    >
      <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
      New project
    </Link>
  )
}

function NoProjects({ organizationId }: { readonly organizationId: number }) {
  return (
    <Empty title="No projects yet" action={<NewProjectLink organizationId={organizationId} />}>
      A project is a repository, a domain, and the servers that its environments run on. Every pull request of it gets
      an address of its own.
    </Empty>
  )
}
