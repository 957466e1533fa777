// Checks the services of a server once: compares the live services of the records with what runs, and records changes.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { judgeService, type SeenContainer, works } from '../../../domain/service-state.ts'
import type { Host } from '../../../remote/host.ts'
import { openMask } from '../../../runner/open-secrets.ts'
import { countRestarts } from '../../../runtimes/compose/services/inspect-containers.ts'
import {
  type FoundContainer,
  inspectServices,
  type ServerView,
} from '../../../runtimes/compose/services/inspect-services.ts'
import {
  type KnownService,
  type LiveEnvironment,
  listLiveEnvironments,
  lockRoutesOf,
} from '../../../store/environments/live-services.ts'
import { type StateChange, updateServices } from '../../../store/environments/services.ts'
import { lastLinesOf } from './last-lines.ts'

/** Known restart counts by container. Only a young container can have restarted since it was counted. */
export type RestartCounts = Map<string, number>

export async function checkServices(
  ctx: Context,
  { serverId, host, counts }: { readonly serverId: number; readonly host: Host; readonly counts: RestartCounts },
): Promise<void> {
  const environments = await listLiveEnvironments(ctx.db, serverId)
  if (environments.length === 0) return
  const hasContainers = environments.some(({ recipe }) => recipe === 'docker')
  const view = await inspectServices(host, {
    installationId: hasContainers ? ctx.installationId : null,
    ports: environments.flatMap(({ routes }) =>
      routes.map(({ port, health, domain }) => ({ port, path: health, host: domain })),
    ),
  })
  await updateRestartCounts(host, view, counts)
  const linesUntil = performance.now() + LINES_MS
  for (const environment of environments) await compare(ctx, host, { environment, view, counts, linesUntil })
}

async function updateRestartCounts(host: Host, { containers }: ServerView, counts: RestartCounts): Promise<void> {
  if (!containers) return
  const ids = new Set(containers.map(({ id }) => id))
  for (const id of counts.keys()) if (!ids.has(id)) counts.delete(id)
  const unsure = containers.filter(({ id, status, isYoung }) => isYoung || status === 'restarting' || !counts.has(id))
  const counted = await countRestarts(
    host,
    unsure.map(({ id }) => id),
  )
  for (const [id, restarts] of counted) if (ids.has(id)) counts.set(id, restarts)
}

type ServerCheck = {
  readonly environment: LiveEnvironment
  readonly view: ServerView
  readonly counts: RestartCounts
  /** Time (`performance.now()`) after which no more last lines are read, because other servers wait for a slot. */
  readonly linesUntil: number
}

/** For all environments of a server together. */
const LINES_MS = 10_000
/** Per environment: a hostile server could report any number. */
const MAX_SERVICES = 200

async function compare(ctx: Context, host: Host, check: ServerCheck): Promise<void> {
  const { environment, view } = check
  const own = view.containers?.filter(({ environmentId }) => environmentId === environment.id)
  const others = own === undefined ? [] : unroutedIn(own, environment)
  const changed: StateChange[] = []
  let opening: ReturnType<typeof openMask> | undefined
  const readLines = async (state: ServiceState, container?: FoundContainer): Promise<StateChange['lastLines']> => {
    if (works(state)) return null
    // A container that is gone prints nothing more: the recorded lines stay.
    if (!container || performance.now() > check.linesUntil) return undefined
    opening ??= openMask(ctx, environment)
    const mask = await opening
    return mask ? lastLinesOf(host, container.id, mask) : null
  }
  for (const known of [...environment.known, ...others]) {
    const container = own && containerOf(own, environment, known)
    const change = changeOf(ctx, check, { known, container, isDockerRead: own !== undefined })
    if (change) changed.push({ ...change, lastLines: await readLines(change.state, container) })
  }
  const gone = own === undefined ? [] : environment.known.filter(isGoneFrom(own)).map(({ name }) => name)
  if (changed.length === 0 && gone.length === 0) return
  await ctx.change(PLATFORM, async (tx) => {
    // If the routes were switched meanwhile, another release was checked.
    if (!(await lockRoutesOf(tx, { environmentId: environment.id, taskId: environment.taskId }))) return
    await updateServices(tx, environment.id, { changed, gone })
  })
}

type ComparedService = {
  readonly known: KnownService
  readonly container: FoundContainer | undefined
  readonly isDockerRead: boolean
}

/** Undefined if the record is up to date. */
function changeOf(
  ctx: Pick<Context, 'clock'>,
  { environment, view, counts }: ServerCheck,
  { known, container, isDockerRead }: ComparedService,
): Omit<StateChange, 'lastLines'> | undefined {
  const port = environment.routes.find(({ service }) => service === known.route)?.port
  const judged = judgeService(
    {
      recipe: environment.recipe,
      isRouted: known.route !== null,
      container: isDockerRead ? container && withCount(container, counts, known) : 'unasked',
      answer: port === undefined ? undefined : view.answers.get(port),
    },
    known,
  )
  const checkedTaskId = environment.endedTaskId ?? known.checkedTaskId
  const isSameState = judged.state === known.state && known.since > 0
  const isSame = judged.restarts === known.restarts && judged.exitCode === known.exitCode
  if (isSameState && isSame && (known.route === null || checkedTaskId === known.checkedTaskId)) return undefined
  const since = isSameState ? known.since : ctx.clock()
  return { name: known.name, route: known.route, ...judged, since, checkedTaskId }
}

const withCount = (container: FoundContainer, counts: RestartCounts, known: KnownService): SeenContainer => ({
  ...container,
  restarts: counts.get(container.id) ?? known.restarts,
})

/** The serving container: not one of a deployment in progress, and of two the one in the routed slot. */
function containerOf(
  own: readonly FoundContainer[],
  { routes, taskId }: LiveEnvironment,
  { name, route }: KnownService,
): FoundContainer | undefined {
  const slot = routes.find(({ service }) => service === route)?.slot ?? null
  const rank = (container: FoundContainer): number =>
    (container.slot === slot ? 2 : 0) + (container.task <= taskId ? 1 : 0)
  return own
    .filter(({ service }) => service === name)
    .toSorted((one, other) => rank(other) - rank(one) || other.task - one.task)[0]
}

/** Live services without a domain, without those that have exited successfully. */
function unroutedIn(own: readonly FoundContainer[], { known, taskId }: LiveEnvironment): readonly KnownService[] {
  const live = own.filter(({ task, status, exitCode }) => task <= taskId && !(status === 'exited' && exitCode === 0))
  const names = new Set(live.map(({ service }) => service))
  for (const { name } of known) names.delete(name)
  const room = Math.max(0, MAX_SERVICES - known.length)
  return [...names].slice(0, room).map((name) => ({
    name,
    route: null,
    state: 'unknown',
    since: 0,
    restarts: 0,
    exitCode: null,
    checkedTaskId: null,
  }))
}

const isGoneFrom =
  (own: readonly FoundContainer[]) =>
  ({ name, route }: KnownService): boolean =>
    route === null && !own.some(({ service }) => service === name)
