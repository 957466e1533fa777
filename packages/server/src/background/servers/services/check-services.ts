// Checks the services of a server once: compares the live services of the records with what runs, and records changes.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { deriveServiceState, type SeenContainer, works } from '../../../domain/service-state.ts'
import type { Host } from '../../../remote/host.ts'
import { openMask } from '../../../runner/open-secrets.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import type { InspectedService, RestartCounts, ServerInspection } from '../../../runtimes/service-inspection.ts'
import {
  type KnownService,
  type LiveEnvironment,
  listLiveEnvironments,
  lockRoutesOf,
} from '../../../store/environments/live-services.ts'
import { type StateChange, updateServices } from '../../../store/environments/services.ts'
import { lastLinesOf } from './last-lines.ts'

type ServerToCheck = {
  readonly server: Pick<ServerAddress, 'id' | 'runtime'>
  readonly host: Host
  readonly counts: RestartCounts
}

export async function checkServices(ctx: Context, { server, host, counts }: ServerToCheck): Promise<void> {
  const environments = await listLiveEnvironments(ctx.db, server.id)
  if (environments.length === 0) return
  const inspection = await runtimeOf(server).inspectServices(host, {
    installationId: ctx.installationId,
    environments: environments.map((environment) => ({
      ...environment,
      runsContainers: runsContainers[environment.recipe],
    })),
    counts,
  })
  const linesUntil = performance.now() + LINES_MS
  for (const environment of environments) await compare(ctx, { environment, inspection, linesUntil })
}

type ServerCheck = {
  readonly environment: LiveEnvironment
  readonly inspection: ServerInspection
  /** Time (`performance.now()`) after which no more last lines are read, because other servers wait for a slot. */
  readonly linesUntil: number
}

/** For all environments of a server together. */
const LINES_MS = 10_000
/** Per environment: a hostile server could report any number. */
const MAX_SERVICES = 200

async function compare(ctx: Context, check: ServerCheck): Promise<void> {
  const { environment, inspection } = check
  const own = inspection.environments.get(environment.id)
  const others = own === undefined ? [] : newServices(own.unrouted, environment.known.length)
  const changed: StateChange[] = []
  let opening: ReturnType<typeof openMask> | undefined
  const readLines = async (state: ServiceState, container?: InspectedService): Promise<StateChange['lastLines']> => {
    if (works(state)) return null
    // A container that is gone prints nothing more: the recorded lines stay.
    if (!container || performance.now() > check.linesUntil) return undefined
    opening ??= openMask(ctx, environment)
    const mask = await opening
    return mask ? lastLinesOf(await container.readLastOutput(), mask) : null
  }
  for (const known of [...environment.known, ...others]) {
    const container = own?.services.get(known.name)
    const change = changeOf(ctx, check, { known, container, isDockerRead: own !== undefined })
    if (change) changed.push({ ...change, lastLines: await readLines(change.state, container) })
  }
  const isGone = ({ name, route }: KnownService): boolean => route === null && !own?.services.has(name)
  const gone = own === undefined ? [] : environment.known.filter(isGone).map(({ name }) => name)
  if (changed.length === 0 && gone.length === 0) return
  await ctx.change(PLATFORM, async (tx) => {
    // If the routes were switched meanwhile, another release was checked.
    if (!(await lockRoutesOf(tx, { environmentId: environment.id, taskId: environment.taskId }))) return
    await updateServices(tx, environment.id, { changed, gone })
  })
}

type ComparedService = {
  readonly known: KnownService
  readonly container: InspectedService | undefined
  readonly isDockerRead: boolean
}

/** Undefined if the record is up to date. */
function changeOf(
  ctx: Pick<Context, 'clock'>,
  { environment, inspection }: ServerCheck,
  { known, container, isDockerRead }: ComparedService,
): Omit<StateChange, 'lastLines'> | undefined {
  const port = environment.routes.find(({ service }) => service === known.route)?.port
  const checked = deriveServiceState(
    {
      runsContainer: runsContainers[environment.recipe],
      isRouted: known.route !== null,
      container: isDockerRead ? container && withCount(container, known) : 'unasked',
      answer: port === undefined ? undefined : inspection.answers.get(port),
    },
    known,
  )
  const checkedTaskId = environment.endedTaskId ?? known.checkedTaskId
  const isSameState = checked.state === known.state && known.since > 0
  const isSame = checked.restarts === known.restarts && checked.exitCode === known.exitCode
  if (isSameState && isSame && (known.route === null || checkedTaskId === known.checkedTaskId)) return undefined
  const since = isSameState ? known.since : ctx.clock()
  return { name: known.name, route: known.route, ...checked, since, checkedTaskId }
}

const withCount = ({ restarts, ...container }: InspectedService, known: KnownService): SeenContainer => ({
  ...container,
  restarts: restarts ?? known.restarts,
})

function newServices(names: readonly string[], known: number): readonly KnownService[] {
  const room = Math.max(0, MAX_SERVICES - known)
  return names.slice(0, room).map((name) => ({
    name,
    route: null,
    state: 'unknown',
    since: 0,
    restarts: 0,
    exitCode: null,
    checkedTaskId: null,
  }))
}
