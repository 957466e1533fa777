// Applies events of the live channel to the query cache: one handler per event type.
import type { Environment, LiveEvent, Phase, Project, Server, Task } from '@shipway/api'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keys } from './keys.ts'

type EventName = LiveEvent['event']
type Handlers = {
  readonly [Name in EventName]: (cache: QueryClient, data: Extract<LiveEvent, { event: Name }>['data']) => void
}
type Identified = { readonly id: number }

export function applyEvent(cache: QueryClient, { event, data }: LiveEvent): void {
  const handle = handlers[event] as (cache: QueryClient, data: unknown) => void
  handle(cache, data)
}

const handlers: Handlers = {
  'organization.updated': (cache, organization) => {
    store(cache, keys.organization(organization.id), organization)
    invalidate(cache, keys.me)
    invalidate(cache, keys.alerts(organization.id))
    invalidate(cache, keys.alertRules(organization.id))
    invalidate(cache, keys.channels(organization.id))
    invalidate(cache, keys.connections(organization.id))
  },
  'organization.deleted': (cache) => invalidate(cache, keys.me),
  'project.created': (cache, project) => invalidate(cache, keys.projects(project.organization_id)),
  'project.updated': putProject,
  'project.deleted': (cache, { id }) => {
    cache.removeQueries({ queryKey: keys.project(id), exact: true })
    invalidate(cache, keys.allProjects)
  },
  'environment.created': (cache, { project_id }) => invalidate(cache, keys.environments(project_id)),
  'environment.updated': putEnvironment,
  'environment.deleted': (cache, { id, project_id }) => {
    invalidate(cache, keys.environment(id))
    removeFrom(cache, keys.environments(project_id), id)
    invalidate(cache, keys.waiting(project_id))
    invalidate(cache, keys.removed(project_id))
  },
  'server.created': (cache, server) => invalidate(cache, keys.servers(server.organization_id)),
  'server.updated': putServer,
  'server.deleted': (cache) => invalidate(cache, keys.allServers),
  'task.created': putTask,
  'task.updated': putTask,
  'phase.updated': (cache, { task_id, index, phase }) =>
    change<Task>(cache, keys.task(task_id), (task) => ({ ...task, phases: task.phases.toSpliced(index, 1, phase) })),
  'step.updated': (cache, { task_id, phase_index, index, step }) =>
    change<Task>(cache, keys.task(task_id), (task) => ({
      ...task,
      phases: task.phases.map((phase, at) => (at === phase_index ? withStep(phase, index, step) : phase)),
    })),
  // The stores of logs handle output.
  'log.append': () => undefined,
  'output.append': () => undefined,
  'output.current': () => undefined,
  'output.end': () => undefined,
}

function putProject(cache: QueryClient, project: Project): void {
  store(cache, keys.project(project.id), project)
  replaceIn(cache, keys.projects(project.organization_id), project)
  // A pull request that waits, or that a rule decided about, changes the project.
  invalidate(cache, keys.waiting(project.id))
}

function putEnvironment(cache: QueryClient, environment: Environment): void {
  const before = cache.getQueryData<Environment>(keys.environment(environment.id))
  store(cache, keys.environment(environment.id), environment)
  replaceIn(cache, keys.environments(environment.project_id), environment)
  if (before?.sticky !== environment.sticky) invalidate(cache, keys.environments(environment.project_id))
  invalidate(cache, keys.services(environment.id))
  invalidate(cache, keys.scale(environment.id))
  invalidate(cache, keys.variables(environment.id))
  invalidate(cache, keys.actions(environment.id))
  invalidate(cache, keys.silence(environment.id))
  invalidateSoon(cache, keys.overviews)
}

function putServer(cache: QueryClient, server: Server): void {
  store(cache, keys.server(server.id), server)
  replaceIn(cache, keys.servers(server.organization_id), server)
  invalidate(cache, keys.serverHealth(server.id))
}

function putTask(cache: QueryClient, task: Task): void {
  store(cache, keys.task(task.id), task)
  invalidate(cache, keys.tasks(task.environment_id))
  if (task.finished_at === null) return
  if (task.kind === 'run') return
  if (task.kind === 'action') {
    invalidate(cache, keys.artifacts(task.id))
    return
  }
  invalidate(cache, keys.diagnostics(task.environment_id))
  invalidate(cache, keys.durations(task.environment_id))
}

const withStep = (phase: Phase, index: number, step: Phase['steps'][number]): Phase => ({
  ...phase,
  steps: phase.steps.toSpliced(index, 1, step),
})

/** A response in flight may be older than the event, so it is fetched again. */
function store<Data>(cache: QueryClient, key: QueryKey, data: Data): void {
  if (cache.isFetching({ queryKey: key, exact: true }) > 0) invalidate(cache, key)
  else cache.setQueryData<Data>(key, data)
}

function change<Data>(cache: QueryClient, key: QueryKey, changed: (data: Data) => Data): void {
  if (cache.isFetching({ queryKey: key, exact: true }) > 0) invalidate(cache, key)
  else cache.setQueryData<Data>(key, (data) => data && changed(data))
}

function replaceIn<Record extends Identified>(cache: QueryClient, key: QueryKey, record: Record): void {
  change<readonly Record[]>(cache, key, (list) => list.map((one) => (one.id === record.id ? record : one)))
}

function removeFrom(cache: QueryClient, key: QueryKey, id: number): void {
  change<readonly Identified[]>(cache, key, (list) => list.filter((one) => one.id !== id))
}

/** Overviews span many records, so invalidations within this time are merged. */
const SOON_MS = 500
const scheduled = new Set<string>()

function invalidateSoon(cache: QueryClient, key: QueryKey): void {
  const name = JSON.stringify(key)
  if (scheduled.has(name)) return
  scheduled.add(name)
  setTimeout(() => {
    scheduled.delete(name)
    invalidate(cache, key)
  }, SOON_MS)
}

function invalidate(cache: QueryClient, key: QueryKey): void {
  void cache.invalidateQueries({ queryKey: key })
}
