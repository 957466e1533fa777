// Finds for each service the container that serves, among all containers of a server.
import type { Host } from '../../../remote/host.ts'
import type {
  EnvironmentInspection,
  EnvironmentToInspect,
  InspectedService,
  RestartCounts,
  ServerInspection,
  ServicesToInspect,
} from '../../service-inspection.ts'
import { countRestarts, readLastOutput } from './inspect-containers.ts'
import { type FoundContainer, inspectServer } from './inspect-server.ts'

export async function inspectServices(
  host: Host,
  { installationId, environments, counts }: ServicesToInspect,
): Promise<ServerInspection> {
  const hasContainers = environments.some(({ runsContainers }) => runsContainers)
  const { containers, answers } = await inspectServer(host, {
    installationId: hasContainers ? installationId : null,
    ports: environments.flatMap(({ routes }) =>
      routes.map(({ port, health, domain }) => ({ port, path: health, host: domain })),
    ),
  })
  if (!containers) return { environments: new Map(), answers }
  await countNew(host, containers, counts)
  const inspected = environments.map((environment) => {
    const own = containers.filter(({ environmentId }) => environmentId === environment.id)
    return [environment.id, inspect(host, environment, { own, counts })] as const
  })
  return { environments: new Map(inspected), answers }
}

async function countNew(host: Host, containers: readonly FoundContainer[], counts: RestartCounts): Promise<void> {
  const ids = new Set(containers.map(({ id }) => id))
  for (const id of counts.keys()) if (!ids.has(id)) counts.delete(id)
  const unsure = containers.filter(({ id, status, isYoung }) => isYoung || status === 'restarting' || !counts.has(id))
  const counted = await countRestarts(
    host,
    unsure.map(({ id }) => id),
  )
  for (const [id, restarts] of counted) if (ids.has(id)) counts.set(id, restarts)
}

type FoundContainers = { readonly own: readonly FoundContainer[]; readonly counts: RestartCounts }

function inspect(
  host: Host,
  environment: EnvironmentToInspect,
  { own, counts }: FoundContainers,
): EnvironmentInspection {
  const byService = Map.groupBy(own, ({ service }) => service)
  const services = [...byService].flatMap(([name, containers]): (readonly [string, InspectedService])[] => {
    const container = servingOf(containers, environment, name)
    if (!container) return []
    const { id, status, health, exitCode, isYoung } = container
    const seen = { status, health, exitCode, isYoung, restarts: counts.get(id) }
    return [[name, { ...seen, readLastOutput: () => readLastOutput(host, id) }]]
  })
  return { services: new Map(services), unrouted: unroutedIn(own, environment) }
}

/** The container that serves: not that of a deployment under way, and of two the one in the slot that the route leads to. */
function servingOf(
  containers: readonly FoundContainer[],
  { routes, taskId, known }: EnvironmentToInspect,
  name: string,
): FoundContainer | undefined {
  const route = known.find((service) => service.name === name)?.route ?? null
  const slot = routes.find(({ service }) => service === route)?.slot ?? null
  const rank = (container: FoundContainer): number =>
    (container.slot === slot ? 2 : 0) + (container.task <= taskId ? 1 : 0)
  return containers.toSorted((one, other) => rank(other) - rank(one) || other.task - one.task)[0]
}

/** A service that has done its work is not one of them. */
function unroutedIn(own: readonly FoundContainer[], { known, taskId }: EnvironmentToInspect): readonly string[] {
  const live = own.filter(({ task, status, exitCode }) => task <= taskId && !(status === 'exited' && exitCode === 0))
  const names = new Set(live.map(({ service }) => service))
  for (const { name } of known) names.delete(name)
  return [...names]
}
