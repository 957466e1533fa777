// One look at the services of a server: what the records say is live, what the server has of it, and what has changed since.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { judgeService, type SeenContainer, works } from '../../../domain/service-state.ts'
import { countRestarts } from '../../../recipes/services/inspect-containers.ts'
import { type FoundContainer, inspectServices, type ServerView } from '../../../recipes/services/inspect-services.ts'
import type { Host } from '../../../remote/host.ts'
import { openMask } from '../../../runner/open-secrets.ts'
import {
  type KnownService,
  type LiveEnvironment,
  listLiveEnvironments,
  lockRoutesOf,
} from '../../../store/environments/live-services.ts'
import { type StateChange, updateServices } from '../../../store/environments/services.ts'
import { lastLinesOf } from './last-lines.ts'

/** How often containers were started again, as far as is known: only a young one can have been since. */
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
  /** No more last lines are read then, by `performance.now()`: other servers wait for the end of this look. */
  readonly linesUntil: number
}

/** Of all environments of a server. */
const LINES_MS = 10_000
/** Of one environment: a server could tell of any number. */
const MOST_SERVICES = 200

async function compare(ctx: Context, host: Host, seen: ServerCheck): Promise<void> {
  const { environment, view } = seen
  const own = view.containers?.filter(({ environmentId }) => environmentId === environment.id)
  const others = own === undefined ? [] : unroutedIn(own, environment)
  const changed: StateChange[] = []
  let opening: ReturnType<typeof openMask> | undefined
  const readLines = async (state: ServiceState, container?: FoundContainer): Promise<StateChange['lastLines']> => {
    if (works(state)) return null
    // What is gone has printed what it has printed.
    if (!container || performance.now() > seen.linesUntil) return undefined
    opening ??= openMask(ctx, environment)
    const mask = await opening
    return mask ? lastLinesOf(host, container.id, mask) : null
  }
  for (const known of [...environment.known, ...others]) {
    const container = own && containerOf(own, environment, known)
    const change = changeOf(ctx, seen, { known, container, isDockerRead: own !== undefined })
    if (change) changed.push({ ...change, lastLines: await readLines(change.state, container) })
  }
  const gone = own === undefined ? [] : environment.known.filter(isGoneFrom(own)).map(({ name }) => name)
  if (changed.length === 0 && gone.length === 0) return
  await ctx.change(PLATFORM, async (tx) => {
    // What has switched meanwhile was not what was looked at.
    if (!(await lockRoutesOf(tx, { environmentId: environment.id, taskId: environment.taskId }))) return
    await updateServices(tx, environment.id, { changed, gone })
  })
}

type ComparedService = {
  readonly known: KnownService
  readonly container: FoundContainer | undefined
  readonly isDockerRead: boolean
}

/** Undefined where nothing is different from what the record says. */
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

/** The one that serves: not that of a deployment under way, and of two the one in the slot that the route leads to. */
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

/** Services of what is live that no domain leads to. One that has done its work is none. */
function unroutedIn(own: readonly FoundContainer[], { known, taskId }: LiveEnvironment): readonly KnownService[] {
  const live = own.filter(({ task, status, exitCode }) => task <= taskId && !(status === 'exited' && exitCode === 0))
  const names = new Set(live.map(({ service }) => service))
  for (const { name } of known) names.delete(name)
  const room = Math.max(0, MOST_SERVICES - known.length)
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
