// History of an environment: deployments, resets, removals and actions, newest first.
import { type Environment, TaskKind, TaskStatus } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { rollbackTargets } from '../../components/environment/rollback-targets.ts'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { useTopics } from '../../data/live.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { type HistoryFilter, latestTasksQuery, taskHistoryQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { taskAppearance } from '../../status/appearance.ts'
import { DeploymentList } from './deployment-list.tsx'
import styles from './deployments-tab.module.css'

export function DeploymentsTab() {
  const { environment } = useCurrentPage()
  const filter = useSearch({ from: '/signed-in/environments/$environmentId/environment/deployments' })
  return environment === undefined ? null : (
    <>
      <Filters environmentId={environment.id} filter={filter} />
      <History environment={environment} filter={filter} />
    </>
  )
}

type FilterProps = { readonly environmentId: number; readonly filter: HistoryFilter }

function Filters({ environmentId, filter: { status, kind } }: FilterProps) {
  const navigate = useNavigate()
  const show = (search: HistoryFilter): void => {
    const params = { environmentId }
    void navigate({ to: '/environments/$environmentId/deployments', params, search, replace: true })
  }
  return (
    <search className={styles.filters} aria-label="Filter deployments">
      <label className={styles.filter}>
        <span>Status</span>
        <select
          value={status ?? ''}
          onChange={({ target }) => show({ ...(kind && { kind }), ...parsed('status', target.value) })}
        >
          <option value="">All</option>
          {TaskStatus.options.map((option) => (
            <option key={option} value={option}>
              {taskAppearance({ status: option }).label}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.filter}>
        <span>Kind</span>
        <select
          value={kind ?? ''}
          onChange={({ target }) => show({ ...(status && { status }), ...parsed('kind', target.value) })}
        >
          <option value="">All</option>
          {TaskKind.options.map((option) => (
            <option key={option} value={option}>
              {KINDS[option]}
            </option>
          ))}
        </select>
      </label>
    </search>
  )
}

const KINDS: Readonly<Record<TaskKind, string>> = {
  deploy: 'Deployments',
  remove: 'Removals',
  reset: 'Resets',
  action: 'Actions',
  run: 'Commands',
}

function parsed(name: 'status' | 'kind', text: string): HistoryFilter {
  if (name === 'status') {
    const status = TaskStatus.safeParse(text).data
    return status === undefined ? {} : { status }
  }
  const kind = TaskKind.safeParse(text).data
  return kind === undefined ? {} : { kind }
}

type HistoryProps = { readonly environment: Environment; readonly filter: HistoryFilter }

function History({ environment, filter }: HistoryProps) {
  useTopics([`environment:${environment.id}`])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    taskHistoryQuery(environment.id, filter),
  )
  const { data: latest = [] } = useLiveQuery(latestTasksQuery(environment.id))
  if (data === undefined) {
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={8} what="Loading deployments" />
    )
  }
  const tasks = data.pages.flat()
  if (tasks.length === 0) return <Nothing environment={environment} filter={filter} />
  return (
    <>
      <DeploymentList environment={environment} tasks={tasks} targets={rollbackTargets(latest, environment)} />
      {hasNextPage ? (
        <div className={styles.more}>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older tasks
          </Button>
        </div>
      ) : undefined}
      {/* Keeps loaded pages when the next one fails. */}
      {error ? <Failed error={error} onRetry={() => void (hasNextPage ? fetchNextPage() : refetch())} /> : undefined}
    </>
  )
}

function Nothing({ environment, filter }: HistoryProps) {
  const isFiltered = filter.status !== undefined || filter.kind !== undefined
  if (!isFiltered) return <Empty title="No deployments yet">Press Deploy to start one.</Empty>
  return (
    <Empty
      title="No matches"
      action={
        <Link
          className="link small"
          to="/environments/$environmentId/deployments"
          params={{ environmentId: environment.id }}
        >
          Show all
        </Link>
      }
    >
      No task of {environment.name} has this status and kind.
    </Empty>
  )
}
