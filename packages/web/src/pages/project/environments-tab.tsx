// Environments of a project, pull requests that wait, and recent removals.
import type { Environment, Project } from '@shipway/api'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import list from '../../components/list.module.css'
import { Count } from '../../components/page.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { useLiveQuery } from '../../data/live-query.ts'
import { environmentsQuery, projectQuery, removedQuery, waitingQuery } from '../../data/queries.ts'
import { groupEnvironments } from '../../layout/group-environments.ts'
import { SlotMeter } from '../../status/slot-meter.tsx'
import { isAwaitingApproval } from './awaiting-approval.ts'
import { EnvironmentRow } from './environment-row.tsx'
import styles from './environments.module.css'
import { NewEnvironmentButton } from './new-environment.tsx'
import { RemovedEnvironments } from './removed-environments.tsx'
import { WaitingPullRequests } from './waiting-pull-requests.tsx'

export function EnvironmentsTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/' })
  const { data: project } = useLiveQuery(projectQuery(projectId))
  const { data: environments, error, refetch } = useLiveQuery(environmentsQuery(projectId))
  const { data: waiting = [] } = useLiveQuery(waitingQuery(projectId))
  const { data: removed = [] } = useLiveQuery(removedQuery(projectId))
  if (project === undefined || environments === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading environments" />
  }
  const awaitingApproval = environments.filter(isAwaitingApproval)
  const admitted = environments.filter((environment) => !isAwaitingApproval(environment))
  return (
    <>
      <Environments project={project} environments={admitted} />
      <WaitingPullRequests waiting={waiting} awaitingApproval={awaitingApproval} />
      <RemovedEnvironments removed={removed} />
    </>
  )
}

type EnvironmentsProps = { readonly project: Project; readonly environments: readonly Environment[] }

function Environments({ project, environments }: EnvironmentsProps) {
  const [filter, setFilter] = useState('')
  const { environment_limit: limit, environments_used: used } = project
  if (environments.length === 0) {
    return (
      <Empty title="No environments yet" action={<NewEnvironmentButton project={project} />}>
        Open a pull request, or create an environment for a branch.
      </Empty>
    )
  }
  const found = environments.filter((environment) => isFound(environment, filter))
  return (
    <>
      <div className={styles.limit}>
        <SlotMeter environments={environments} used={used} limit={limit} isLarge />
        <span>
          <b className="figures">
            {used}/{limit}
          </b>{' '}
          <span className="quiet">environments</span>
        </span>
        <div className={styles.filter}>
          <SearchField
            label="Filter environments"
            placeholder="Filter"
            shortcut="/"
            value={filter}
            onChange={setFilter}
          />
        </div>
      </div>
      {found.length === 0 ? <p className="section quiet">No environment matches “{filter}”.</p> : undefined}
      {groupEnvironments(found).map(([name, members]) => (
        <section key={name} className="section" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>
            {name} <Count>{members.length}</Count>
          </h2>
          <ul className={`${list.list} ${styles.list}`}>
            {members.map((environment) => (
              <li key={environment.id}>
                <EnvironmentRow environment={environment} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function isFound({ name, title, branch }: Environment, filter: string): boolean {
  const wanted = filter.trim().toLowerCase()
  return [name, title, branch].some((text) => text.toLowerCase().includes(wanted))
}
