// Removes orphans of ended tasks, old service logs and expired artifacts from servers: everywhere at the start and every hour, and
// orphans also wherever a task has ended.
//
// No list of orphans is stored. The server says what exists, the records say what is needed, and the difference is removed: so the orphans
// of a killed process, a lost connection and a failed task are all found the same way.
import type { Context } from '../../../context.ts'
import { serverFolderOf } from '../../../domain/server-folder.ts'
import { sortOrphans } from '../../../domain/tasks/task-orphans.ts'
import { findHome } from '../../../remote/find-home.ts'
import type { Host } from '../../../remote/host.ts'
import { trimOutput } from '../../../remote/output/output-scripts.ts'
import type { RunnerDependencies } from '../../../runner/runner-dependencies.ts'
import type { FoundOrphans, Orphan } from '../../../runtimes/orphan.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { isAwaitingReview } from '../../../store/backup/restored.ts'
import { deletePortsOfRemoved, listRoutedSlots } from '../../../store/environments/ports.ts'
import {
  listDeleted,
  listEnvironmentTasks,
  listNeededCommits,
  listServersOfEndedTasks,
  listServersToCleanUp,
  type ServerToCleanUp,
} from '../../../store/tasks/orphans.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { cleanUpMoved } from './clean-up-moved.ts'
import { removeExpiredArtifacts } from './remove-expired-artifacts.ts'

type CleanupDependencies = Pick<RunnerDependencies, 'source'>

const RETRY_MS = 15_000
/** Events can get lost. */
const FULL_CLEANUP_MS = 60 * 60_000
const LIST_MS = 60_000
const SERVERS_AT_ONCE = 2
/** Environments in one command or query. */
const BATCH = 100

/** Environments whose tasks have ended since the last cleanup; all of the server if they are many. */
type DueEnvironments = ReadonlySet<number> | 'all'

export function cleanUpServers(
  ctx: Context,
  { serverJobs, ...dependencies }: CleanupDependencies & { readonly serverJobs: ServerJobs },
): { start(): void; stop(): Promise<void> } {
  const changed = new Set<number>()
  const due = new Map<number, DueEnvironments>()
  /** Time of the next full cleanup, by server. */
  const allAt = new Map<number, number>()

  const note = (serverId: number, environmentIds: DueEnvironments): void => {
    const known = due.get(serverId)
    if (environmentIds === 'all' || known === 'all') return void due.set(serverId, 'all')
    const ids = new Set([...(known ?? []), ...environmentIds])
    due.set(serverId, ids.size > BATCH ? 'all' : ids)
  }

  const cleanUp = async ({ server, host }: JobRun): Promise<void> => {
    // After a restore, environments newer than the backup are unknown and would be removed with their data.
    if (await isAwaitingReview(ctx.db)) return
    const isAllDue = performance.now() >= (allAt.get(server.id) ?? 0)
    const environmentIds = isAllDue ? 'all' : (due.get(server.id) ?? 'all')
    due.delete(server.id)
    try {
      await cleanUpServer(ctx, dependencies, { server, host: host(), environmentIds })
      if (environmentIds === 'all') allAt.set(server.id, performance.now() + FULL_CLEANUP_MS / 2)
    } catch (error) {
      note(server.id, environmentIds)
      throw error
    }
  }

  const job = serverJobs.define({
    failureMessage: 'orphans could not be removed from a server',
    // A cut connection is usually back soon.
    everyMs: FULL_CLEANUP_MS,
    retryMs: RETRY_MS,
    concurrency: SERVERS_AT_ONCE,
    list: () => listServersToCleanUp(ctx.db),
    listEveryMs: LIST_MS,
    run: cleanUp,
  })

  const findEnded = async (): Promise<void> => {
    const taskIds = [...changed]
    changed.clear()
    if (taskIds.length === 0) return
    const places = await listServersOfEndedTasks(ctx.db, taskIds)
    for (const { serverId, environmentId } of places) note(serverId, new Set([environmentId]))
    const serverIds = new Set(places.map(({ serverId }) => serverId))
    // A task has just run there: the server may be reachable again, or be new.
    for (const id of serverIds) serverJobs.reset(id)
    if (serverIds.size > 0) job.add(await listServersToCleanUp(ctx.db, [...serverIds]))
    job.wake(serverIds)
  }

  const finding = createLoop({
    everyMs: RETRY_MS,
    startsWithPause: true,
    work: findEnded,
    onError: (error) => ctx.log.error({ err: error }, 'the records of ended tasks could not be read'),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((event) => {
        if (event.about === 'task') changed.add(event.id)
      })
      finding.start()
      job.start()
    },
    stop: async () => {
      endListening()
      await finding.stop()
    },
  }
}

type ServerCleanup = {
  readonly server: Pick<ServerToCleanUp, 'id' | 'connection' | 'runtime'>
  readonly host: Host
  readonly environmentIds: DueEnvironments
}

/** Cleans up one server once. */
export async function cleanUpServer(
  ctx: Context,
  dependencies: CleanupDependencies,
  { server, host, environmentIds }: ServerCleanup,
): Promise<void> {
  const folder = serverFolderOf(ctx, server, await findHome(host))
  const place = { folder, ...(environmentIds !== 'all' && { environmentIds: [...environmentIds] }) }
  const projectIds = new Set<number>()
  const left = new Map<number, readonly number[]>()
  const known = new Set<number>()
  const stayed: string[] = []
  // For every recipe: the server may have had environments of another one.
  const runtime = runtimeOf(server)
  for (const kind of [runtime.orphans.files, runtime.orphans.containers]) {
    const found = await kind.list(host, place)
    for (const id of found.tasks.keys()) known.add(id)
    const { orphans, ofProjects, leftIds, deletedIds } = await sortFoundOrphans(ctx, server.id, found)
    for (const id of ofProjects) projectIds.add(id)
    for (const id of leftIds) left.set(id, [...(left.get(id) ?? []), ...(found.tasks.get(id) ?? [])])
    // Their recipe is no longer recorded: Docker may have containers or volumes of them, or may be missing.
    for (const environmentId of deletedIds) {
      const owner = { installationId: ctx.installationId, environmentId }
      stayed.push(...(await runtime.remove(host, owner, { mayLackEngine: true })))
    }
    stayed.push(...(await kind.remove(host, { folder, paths: found.paths }, orphans)))
    const deleted = await listDeleted(ctx.db, 'projects', found.projectIds)
    await runtime.removePaths(
      host,
      folder,
      deleted.map((id) => `repositories/${id}.git`),
    )
  }
  if (environmentIds === 'all') {
    await renameAll(ctx, { runtime, host }, known)
    await runtime.removeUnusedOneOffs(host, ctx.installationId)
    await host.run(trimOutput(folder, ctx.config.keptOutput))
    stayed.push(...(await removeExpiredArtifacts(ctx, { runtime, host, folder })))
  }
  stayed.push(...(await cleanUpMoved(ctx, { host, folder, server }, left)))
  if (stayed.length > 0) ctx.log.debug({ server: server.id, stayed }, 'some orphans could not be removed yet')
  await deletePortsOfRemoved(ctx.db, server.id, place.environmentIds)
  for (const projectId of projectIds)
    await removeCommits(ctx, dependencies, { host, folder, serverId: server.id, projectId })
}

async function renameAll(
  ctx: Context,
  { runtime, host }: { readonly runtime: Runtime; readonly host: Host },
  environmentIds: ReadonlySet<number>,
): Promise<void> {
  const imageTokenOf = (id: number): string => ctx.environmentTokens(id).image
  const ids = [...environmentIds]
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH)
    await runtime.renameImages(host, { installationId: ctx.installationId, environmentIds: some, imageTokenOf })
  }
}

type SortedOrphans = {
  readonly orphans: readonly Orphan[]
  readonly ofProjects: readonly number[]
  /** Environments that another server serves now. */
  readonly leftIds: readonly number[]
  readonly deletedIds: readonly number[]
}

async function sortFoundOrphans(ctx: Context, serverId: number, { tasks }: FoundOrphans): Promise<SortedOrphans> {
  const ids = [...tasks.keys()]
  const orphans: Orphan[] = []
  const ofProjects: number[] = []
  const leftIds: number[] = []
  const deletedIds: number[] = []
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH)
    // Read after the server was listed: a task that has begun since owns nothing that was found.
    const environments = await listEnvironmentTasks(ctx.db, serverId, some)
    const routed = await listRoutedSlots(ctx.db, serverId, some)
    leftIds.push(...environments.filter(({ left }) => left).map(({ id }) => id))
    for (const environment of environments.filter(({ left }) => !left)) {
      const { id: environmentId, projectId, isGone, isIdle: isIdleNow, liveIds } = environment
      const isIdle = async (): Promise<boolean> =>
        (await listEnvironmentTasks(ctx.db, serverId, [environmentId])).every((now) => now.isIdle)
      const serving = {
        taskId: liveIds.length > 0 ? Math.max(...liveIds) : null,
        routed: routed.filter((port) => port.environmentId === environmentId),
        keptOutput: ctx.config.keptOutput,
        isIdle,
      }
      orphans.push({
        environmentId,
        isGone,
        tasks: sortOrphans(environment, tasks.get(environmentId) ?? []),
        ...(isIdleNow && { serving }),
      })
      ofProjects.push(projectId)
    }
    deletedIds.push(...(await listDeleted(ctx.db, 'environments', some)))
  }
  for (const environmentId of deletedIds) {
    const ended = { live: [], kept: [], over: tasks.get(environmentId) ?? [] }
    orphans.push({ environmentId, isGone: true, tasks: ended })
  }
  return { orphans: orphans.filter(needsCleanup), ofProjects, leftIds, deletedIds }
}

const needsCleanup = ({ isGone, tasks: { live, kept, over } }: Orphan): boolean =>
  isGone || live.length + kept.length + over.length > 0

type ProjectRepository = {
  readonly host: Host
  readonly folder: string
  readonly serverId: number
  readonly projectId: number
}

function removeCommits(
  ctx: Context,
  { source }: CleanupDependencies,
  { host, folder, serverId, projectId }: ProjectRepository,
): Promise<void> {
  const repository = `${folder}/repositories/${projectId}.git`
  return source.removeCommits({ host, repository, keep: () => listNeededCommits(ctx.db, { serverId, projectId }) })
}
