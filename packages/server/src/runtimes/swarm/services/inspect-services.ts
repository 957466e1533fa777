// Says of each service of a Swarm how it is: one state for all of its tasks.
import { dockerScript } from '../../../commands/docker/script.ts'
import type { PortAnswer } from '../../../domain/service-state.ts'
import { serviceHealth } from '../../../domain/swarm/service-health.ts'
import { isRunning, type SwarmService, type SwarmView, tasksOf, upstreamOf } from '../../../domain/swarm/swarm-view.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import type {
  EnvironmentInspection,
  EnvironmentToInspect,
  InspectedService,
  LastOutput,
  ServerInspection,
  ServicesToInspect,
} from '../../service-inspection.ts'
import { listSwarm } from '../view/list-swarm.ts'

export async function inspectServices(
  host: Host,
  { installationId, environments }: ServicesToInspect,
): Promise<ServerInspection> {
  const view = await listSwarm(host, { installationId }).catch((error: unknown) => {
    // Docker gave no answer: its services are not known then.
    if (!(error instanceof StepFault)) throw error
  })
  if (!view) return { environments: new Map(), answers: new Map() }
  const answers = new Map<number, PortAnswer>()
  for (const { routes } of environments)
    for (const { port, health, domain } of routes) {
      const answer = await askTasks(host, view, { group: port, health, domain })
      if (answer !== undefined) answers.set(port, answer)
    }
  const inspected = environments
    .filter(({ runsContainers }) => runsContainers)
    .map((environment) => [environment.id, inspect(host, view, environment)] as const)
  return { environments: new Map(inspected), answers }
}

type RouteToTasks = { readonly group: number; readonly health: string; readonly domain: string }

/** One task that answers is enough: the edge leaves out the others. Undefined where the Swarm has forgotten the ports of all that run. */
async function askTasks(
  host: Host,
  view: SwarmView,
  { group, health, domain }: RouteToTasks,
): Promise<PortAnswer | undefined> {
  const own = view.services.filter((service) => service.group === group)
  const upstreams = own.flatMap((service) =>
    tasksOf(view, service)
      .filter(isRunning)
      .flatMap((task) => upstreamOf(task, service, view.nodes) ?? []),
  )
  if (upstreams.length === 0) return 'refused'
  const known = upstreams.filter(({ port }) => port !== null)
  if (known.length === 0) return undefined
  const words = known.slice(0, MOST_TASKS).map(({ address, port }) => `${address}:${port}`)
  const { stdout } = await host.run(dockerScript('probe-upstreams', health, domain, ...words), { timeoutMs: LIMIT_MS })
  const codes = stdout.toString().split('\n').filter(Boolean)
  return codes.some((line) => !line.endsWith(' 000')) ? 'answered' : 'refused'
}

const MOST_TASKS = 20
const LIMIT_MS = 30_000

function inspect(host: Host, view: SwarmView, environment: EnvironmentToInspect): EnvironmentInspection {
  const { id, taskId, known } = environment
  const own = view.services.filter(({ environment: owner, service }) => owner === id && service !== '')
  const byName = Map.groupBy(own, ({ service }) => service)
  const services = [...byName].flatMap(([name, versions]): (readonly [string, InspectedService])[] => {
    const service = servingOf(versions, taskId)
    if (!service || service.replicas === null) return []
    const health = serviceHealth(service, tasksOf(view, service), view.now)
    return [[name, { ...health, readLastOutput: () => readLastOutput(host, service.id) }]]
  })
  const names = new Set(known.map(({ name }) => name))
  const unrouted = services.flatMap(([name]) => (names.has(name) ? [] : [name]))
  return { services: new Map(services), unrouted }
}

/** Not that of a deployment under way. */
const servingOf = (versions: readonly SwarmService[], taskId: number): SwarmService | undefined =>
  versions.filter(({ task }) => task <= taskId).toSorted((a, b) => b.task - a.task)[0]

const UNSURE_BYTES = 64 * 1024

async function readLastOutput(host: Host, id: string): Promise<LastOutput> {
  const { stdout } = await host.run(dockerScript('service-logs', id, '1000', '5'), { timeoutMs: LIMIT_MS })
  return { printed: stdout, unsureBytes: stdout.length < UNSURE_BYTES ? 0 : UNSURE_BYTES }
}
