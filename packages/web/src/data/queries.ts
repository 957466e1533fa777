// Live queries of the pages.
import {
  type Action,
  type ActiveTask,
  type Artifact,
  type Delivery,
  type Diagnostics,
  type Durations,
  type Environment,
  type Member,
  nextCursor,
  type Overview,
  type Project,
  type ProjectVariables,
  pages,
  type RawAnswer,
  type RemovedEnvironment,
  type Scale,
  type Server,
  type ServiceOutput,
  type Task,
  type TaskKind,
  type TaskStatus,
  type Variables,
  type WaitingPullRequest,
} from '@shipway/api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, clientOf } from './client.ts'
import { keys } from './keys.ts'
import type { LiveQuery } from './live-query.ts'

/** Maximum page size of the API. */
const MOST = 200

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => client.getMe({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const projectsQuery = (organizationId: number): LiveQuery<readonly Project[]> => ({
  topic: `organization:${organizationId}`,
  key: keys.projects(organizationId),
  read: (signal) =>
    readAll((cursor) => clientOf(organizationId).raw.listProjects({ query: { limit: MOST, cursor }, signal })),
})

export const projectQuery = (id: number): LiveQuery<Project> => ({
  topic: `project:${id}`,
  key: keys.project(id),
  read: (signal) => client.getProject({ params: { id }, signal }),
})

export const scaleQuery = (environmentId: number): LiveQuery<Scale> => ({
  topic: `environment:${environmentId}`,
  key: keys.scale(environmentId),
  read: (signal) => client.getScale({ params: { id: environmentId }, signal }),
})

export const environmentsQuery = (projectId: number): LiveQuery<readonly Environment[]> => ({
  topic: `project:${projectId}`,
  key: keys.environments(projectId),
  read: (signal) =>
    readAll((cursor) =>
      client.raw.listEnvironments({ params: { id: projectId }, query: { limit: MOST, cursor }, signal }),
    ),
})

export const waitingQuery = (projectId: number): LiveQuery<readonly WaitingPullRequest[]> => ({
  topic: `project:${projectId}`,
  key: keys.waiting(projectId),
  read: (signal) => client.listWaitingPullRequests({ params: { id: projectId }, query: { limit: MOST }, signal }),
})

export const removedQuery = (projectId: number): LiveQuery<readonly RemovedEnvironment[]> => ({
  topic: `project:${projectId}`,
  key: keys.removed(projectId),
  read: (signal) => client.listRemovedEnvironments({ params: { id: projectId }, signal }),
})

export const projectVariablesQuery = (projectId: number): LiveQuery<ProjectVariables> => ({
  topic: `project:${projectId}`,
  key: keys.projectVariables(projectId),
  read: (signal) => client.listProjectVariables({ params: { id: projectId }, signal }),
})

export const environmentQuery = (id: number): LiveQuery<Environment> => ({
  topic: `environment:${id}`,
  key: keys.environment(id),
  read: (signal) => client.getEnvironment({ params: { id }, signal }),
})

export const servicesQuery = (environmentId: number): LiveQuery<readonly ServiceOutput[]> => ({
  topic: `environment:${environmentId}`,
  key: keys.services(environmentId),
  read: (signal) => client.listServices({ params: { id: environmentId }, signal }),
})

export const variablesQuery = (environmentId: number): LiveQuery<Variables> => ({
  topic: `environment:${environmentId}`,
  key: keys.variables(environmentId),
  read: (signal) => client.listVariables({ params: { id: environmentId }, signal }),
})

export const diagnosticsQuery = (environmentId: number): LiveQuery<Diagnostics> => ({
  topic: `environment:${environmentId}`,
  key: keys.diagnostics(environmentId),
  read: (signal) => client.getDiagnostics({ params: { id: environmentId }, signal }),
})

export const durationsQuery = (environmentId: number): LiveQuery<Durations> => ({
  topic: `environment:${environmentId}`,
  key: keys.durations(environmentId),
  read: (signal) => client.getDurations({ params: { id: environmentId }, signal }),
})

/** For the overview and its chart. */
export const latestTasksQuery = (environmentId: number): LiveQuery<readonly Task[]> => ({
  topic: `environment:${environmentId}`,
  key: [...keys.tasks(environmentId), 'latest'],
  read: (signal) => client.listTasks({ params: { id: environmentId }, query: { limit: 20 }, signal }),
})

export const actionsQuery = (environmentId: number): LiveQuery<readonly Action[]> => ({
  topic: `environment:${environmentId}`,
  key: keys.actions(environmentId),
  read: (signal) => client.listActions({ params: { id: environmentId }, signal }),
})

/** Enough for every action to be running. */
export const actionRunsQuery = (environmentId: number): LiveQuery<readonly Task[]> => ({
  topic: `environment:${environmentId}`,
  key: [...keys.tasks(environmentId), 'actions'],
  read: (signal) => client.listTasks({ params: { id: environmentId }, query: { kind: 'action', limit: 10 }, signal }),
})

export const commandRunsQuery = (environmentId: number): LiveQuery<readonly Task[]> => ({
  topic: `environment:${environmentId}`,
  key: [...keys.tasks(environmentId), 'runs'],
  read: (signal) => client.listTasks({ params: { id: environmentId }, query: { kind: 'run', limit: 10 }, signal }),
})

export const artifactsQuery = (taskId: number): LiveQuery<readonly Artifact[]> => ({
  topic: `task:${taskId}`,
  key: keys.artifacts(taskId),
  read: (signal) =>
    readAll((cursor) => client.raw.listArtifacts({ params: { id: taskId }, query: { limit: MOST, cursor }, signal })),
})

export type HistoryFilter = { readonly status?: TaskStatus; readonly kind?: TaskKind }

/** Filtered by status or kind, page by page. */
export const taskHistoryQuery = (environmentId: number, { status, kind }: HistoryFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.tasks(environmentId), 'history', { status, kind }],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: 50, before: pageParam, status, kind }
      return client.listTasks({ params: { id: environmentId }, query, signal })
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < 50 ? undefined : page.at(-1)?.id),
    meta: { topic: `environment:${environmentId}` },
  })

export const taskQuery = (id: number): LiveQuery<Task> => ({
  topic: `task:${id}`,
  key: keys.task(id),
  read: (signal) => client.getTask({ params: { id }, signal }),
})

export const serversQuery = (organizationId: number): LiveQuery<readonly Server[]> => ({
  topic: `organization:${organizationId}`,
  key: keys.servers(organizationId),
  read: (signal) =>
    readAll((cursor) => clientOf(organizationId).raw.listServers({ query: { limit: MOST, cursor }, signal })),
})

export const membersQuery = (organizationId: number): LiveQuery<readonly Member[]> => ({
  topic: `organization:${organizationId}`,
  key: keys.members(organizationId),
  read: (signal) =>
    readAll((cursor) =>
      client.raw.listMembers({ params: { id: organizationId }, query: { limit: MOST, cursor }, signal }),
    ),
})

export async function readAll<Item>(
  read: (cursor: string | undefined) => Promise<RawAnswer<Item[]>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const page of pages(read)) items.push(...page)
  return items
}

/** Overview of all projects; the topics of the projects report changes. */
export const overviewQuery = (organizationId: number): LiveQuery<readonly Overview[]> => ({
  topic: `organization:${organizationId}`,
  key: keys.overview(organizationId),
  read: (signal) =>
    readAll((cursor) => clientOf(organizationId).raw.listOverviews({ query: { limit: MOST, cursor }, signal })),
})

export const activeTasksQuery = (organizationId: number): LiveQuery<readonly ActiveTask[]> => ({
  topic: `organization:${organizationId}`,
  key: [...keys.overview(organizationId), 'active'],
  read: (signal) => clientOf(organizationId).listActiveTasks({ signal }),
})

type Cursor = string | undefined
type Page<Item> = { readonly items: readonly Item[]; readonly next: Cursor }

export const deliveriesQuery = (projectId: number) =>
  infiniteQueryOptions({
    queryKey: keys.deliveries(projectId),
    queryFn: async ({ pageParam, signal }): Promise<Page<Delivery>> => {
      const query = { limit: 50, cursor: pageParam }
      const { body, headers } = await client.raw.listDeliveries({ params: { id: projectId }, query, signal })
      return { items: body, next: nextCursor(headers.get('link')) }
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ next }) => next,
    // No live topic reports deliveries.
    refetchInterval: 5_000,
  })
