// Takes away what ended tasks have left on servers: at the start everywhere, then wherever a task has ended.
//
// Nothing about it is stored. The server says what is there, the records say what is needed, and the rest goes: whatever a dead
// process, a broken connection or a task that failed has left is found the same way.
import type { Context } from '../../context.ts'
import { sortRemains } from '../../domain/task-remains.ts'
import { removeEverything } from '../../recipes/docker/containers/remove.ts'
import { renameImages } from '../../recipes/docker/images/rename-images.ts'
import { type Found, type Leftover, leftoversOf, removePaths } from '../../recipes/leftovers.ts'
import { findHome } from '../../recipes/prepare.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../../remote/host.ts'
import { createTurnstile } from '../../secrets/turnstile.ts'
import { deletePortsOfRemoved, listRoutedSlots } from '../../store/ports.ts'
import {
  listDeleted,
  listEndedPlaces,
  listEnvironmentTasks,
  listNeededCommits,
  listServersToTidy,
  type ServerToTidy,
} from '../../store/remains.ts'
import type { Parts as AllParts } from '../parts.ts'
import { serverFolderOf } from '../server-folder.ts'
import { leaveServer } from './leave-servers.ts'

type Parts = Pick<AllParts, 'hosts' | 'source'>

const LOOK_MS = 15_000
/** A connection that was cut is there again soon; a server that stays out of reach has time, since nobody waits for this. */
const FIRST_RETRY_MS = LOOK_MS
const LAST_RETRY_MS = 5 * 60_000
/** A message about an end can get lost. */
const EVERYTHING_MS = 60 * 60_000
const SERVERS_AT_ONCE = 4
/** Environments in one command or query. */
const MOST_AT_ONCE = 100

/** Environments whose tasks have ended since the last look, or all of the server. */
type Due = { readonly environmentIds: Set<number> | 'all'; readonly notBefore: number }

export function removeLeftovers(ctx: Context, parts: Parts): { start(): void; stop(): Promise<void> } {
  const changed = new Set<number>()
  const due = new Map<number, Due>()
  const inTurn = createTurnstile({ atOnce: SERVERS_AT_ONCE, waiting: Number.POSITIVE_INFINITY })
  /** How often in a row a server could not be tidied. */
  const failures = new Map<number, number>()
  let everythingAt = 0
  let looking: Promise<void> | undefined
  let isStopping = false

  const note = (serverId: number, environmentIds: Due['environmentIds'], notBefore = 0): void => {
    const known = due.get(serverId)
    const isAll = environmentIds === 'all' || known?.environmentIds === 'all'
    const ids = new Set(isAll ? [] : [...(known?.environmentIds ?? []), ...environmentIds])
    due.set(serverId, {
      environmentIds: isAll || ids.size > MOST_AT_ONCE ? 'all' : ids,
      notBefore: Math.max(notBefore, known?.notBefore ?? 0),
    })
  }

  const findDue = async (): Promise<readonly ServerToTidy[]> => {
    if (performance.now() >= everythingAt) {
      everythingAt = performance.now() + EVERYTHING_MS
      for (const { id } of await listServersToTidy(ctx.db)) note(id, 'all')
    }
    const taskIds = [...changed]
    changed.clear()
    for (const place of taskIds.length > 0 ? await listEndedPlaces(ctx.db, taskIds) : [])
      note(place.serverId, new Set([place.environmentId]))
    const ready = [...due].filter(([, { notBefore }]) => notBefore <= performance.now()).map(([id]) => id)
    return ready.length > 0 ? listServersToTidy(ctx.db, ready) : []
  }

  const tidy = async (server: ServerToTidy): Promise<void> => {
    const now = due.get(server.id)
    due.delete(server.id)
    if (isStopping || !now) return
    try {
      await tidyServer(ctx, parts, { server, environmentIds: now.environmentIds })
      failures.delete(server.id)
    } catch (error) {
      if (isStopping) return
      const times = failures.get(server.id) ?? 0
      failures.set(server.id, times + 1)
      const delayMs = Math.min(FIRST_RETRY_MS * 2 ** times, LAST_RETRY_MS)
      note(server.id, now.environmentIds, performance.now() + delayMs)
      const isOutOfReach = error instanceof ServerUnreachable || error instanceof ConnectionLost
      if (!isOutOfReach) ctx.log.warn({ err: error, server: server.id }, 'leftovers of tasks could not be removed')
    }
  }

  const look = async (): Promise<void> => {
    const servers = await findDue()
    await Promise.all(servers.map((server) => inTurn(() => tidy(server))))
  }

  const lookSoon = (): void => {
    looking ??= look()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the records of ended tasks could not be read'))
      .finally(() => {
        looking = undefined
      })
  }

  let timer: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((change) => {
        if (change.about === 'task') changed.add(change.taskId)
      })
      timer = setInterval(lookSoon, LOOK_MS)
      lookSoon()
    },
    stop: async () => {
      isStopping = true
      endListening()
      clearInterval(timer)
      await looking
    },
  }
}

type What = { readonly server: ServerToTidy; readonly environmentIds: ReadonlySet<number> | 'all' }

/** One look at one server. */
export async function tidyServer(ctx: Context, parts: Parts, { server, environmentIds }: What): Promise<void> {
  const host = parts.hosts.of(server)
  const folder = serverFolderOf(ctx, server, await findHome(host))
  const place = { folder, ...(environmentIds !== 'all' && { environmentIds: [...environmentIds] }) }
  const projectIds = new Set<number>()
  const left = new Map<number, readonly number[]>()
  const known = new Set<number>()
  const stayed: string[] = []
  // Whatever the recipes of now are: an environment of another one may have been there.
  for (const kind of leftoversOf('docker')) {
    const found = await kind.list(host, place)
    for (const id of found.tasks.keys()) known.add(id)
    const { leftovers, ofProjects, leftIds, deletedIds } = await judge(ctx, server.id, found)
    for (const id of ofProjects) projectIds.add(id)
    for (const id of leftIds) left.set(id, [...(left.get(id) ?? []), ...(found.tasks.get(id) ?? [])])
    // Nobody knows any more whether docker has something of them; volumes are all that is left of one that was moved.
    for (const environmentId of deletedIds)
      await removeEverything(host, { installationId: ctx.installationId, environmentId }, 'manual')
    stayed.push(...(await kind.remove(host, { folder, paths: found.paths }, leftovers)))
    const deleted = await listDeleted(ctx.db, 'projects', found.projectIds)
    await removePaths(
      host,
      folder,
      deleted.map((id) => `repositories/${id}.git`),
    )
  }
  if (environmentIds === 'all') await renameAll(ctx, host, known)
  stayed.push(...(await leaveServer(ctx, { host, folder, serverId: server.id }, left)))
  if (stayed.length > 0) ctx.log.debug({ server: server.id, stayed }, 'leftovers of tasks stay for now')
  await deletePortsOfRemoved(ctx.db, server.id, place.environmentIds)
  for (const projectId of projectIds) await removeCommits(ctx, parts, { host, folder, serverId: server.id, projectId })
}

async function renameAll(ctx: Context, host: Host, environmentIds: ReadonlySet<number>): Promise<void> {
  const imageTokenOf = (id: number): string => ctx.environmentTokens(id).image
  const ids = [...environmentIds]
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const some = ids.slice(from, from + MOST_AT_ONCE)
    await renameImages(host, { installationId: ctx.installationId, environmentIds: some, imageTokenOf })
  }
}

type Judgement = {
  readonly leftovers: readonly Leftover[]
  readonly ofProjects: readonly number[]
  /** Environments that were moved to another server, and are served there. */
  readonly leftIds: readonly number[]
  readonly deletedIds: readonly number[]
}

async function judge(ctx: Context, serverId: number, { tasks }: Found): Promise<Judgement> {
  const ids = [...tasks.keys()]
  const leftovers: Leftover[] = []
  const ofProjects: number[] = []
  const leftIds: number[] = []
  const deletedIds: number[] = []
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const some = ids.slice(from, from + MOST_AT_ONCE)
    // Asked after the server was: a task that began since has left nothing that was found.
    const environments = await listEnvironmentTasks(ctx.db, serverId, some)
    const routed = await listRoutedSlots(ctx.db, serverId, some)
    leftIds.push(...environments.filter(({ left }) => left).map(({ id }) => id))
    for (const environment of environments.filter(({ left }) => !left)) {
      const { id: environmentId, projectId, isGone, neededIds, liveIds } = environment
      const slots = routed.filter((slot) => slot.environmentId === environmentId)
      const isIdle = async (): Promise<boolean> =>
        (await listEnvironmentTasks(ctx.db, serverId, [environmentId])).every((now) => now.neededIds.length === 0)
      const serving = { taskId: liveIds.length > 0 ? Math.max(...liveIds) : null, slots, isIdle }
      leftovers.push({
        ...{ environmentId, isGone, remains: sortRemains(environment, tasks.get(environmentId) ?? []) },
        ...(neededIds.length === 0 && { serving }),
      })
      ofProjects.push(projectId)
    }
    deletedIds.push(...(await listDeleted(ctx.db, 'environments', some)))
  }
  for (const environmentId of deletedIds) {
    const remains = { live: [], kept: [], over: tasks.get(environmentId) ?? [] }
    leftovers.push({ environmentId, isGone: true, remains })
  }
  return { leftovers: leftovers.filter(isSomething), ofProjects, leftIds, deletedIds }
}

const isSomething = ({ isGone, remains: { live, kept, over } }: Leftover): boolean =>
  isGone || live.length + kept.length + over.length > 0

type OfProject = {
  readonly host: Host
  readonly folder: string
  readonly serverId: number
  readonly projectId: number
}

function removeCommits(
  ctx: Context,
  { source }: Parts,
  { host, folder, serverId, projectId }: OfProject,
): Promise<void> {
  const repository = `${folder}/repositories/${projectId}.git`
  return source.removeCommits({ host, repository, keep: () => listNeededCommits(ctx.db, { serverId, projectId }) })
}
