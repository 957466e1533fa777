// Chooses the services of a compose file to route, with their ports: those that a person would open, the main one first.
import type { ServiceOutline } from '../compose/compose-outline.ts'
import { activeServices, chooseProfiles } from './choose-profiles.ts'
import { byRank, isProxy } from './rank-services.ts'
import { isServiceLabel, serviceLabel } from './repository-config.ts'
import { isStore, isTool, isWorker, visitorPorts } from './service-roles.ts'

/** With the ports of its Dockerfile. */
export type RoutableService = ServiceOutline & {
  readonly inDockerfile: readonly number[]
  readonly mentionedInDockerfile: readonly number[]
}

export type Route = {
  readonly name: string
  /** Null if no file names it: the image may. */
  readonly port: number | null
  readonly health: string | null
}

export type Routing = { readonly routes: readonly Route[]; readonly profiles: readonly string[] }

/** As many as `.service.yml` may name. */
const MOST_ROUTED = 20

export function chooseRoutes(services: readonly RoutableService[], namedProfiles: readonly string[] = []): Routing {
  const routable = new Map<ServiceOutline, RoutableService>(services.map((service) => [service, service]))
  const routesOf = (some: readonly ServiceOutline[]) =>
    routesAmong(some.flatMap((service) => routable.get(service) ?? []))
  const enabled = chooseProfiles(services, namedProfiles, (some) => {
    const [first] = routesOf(some)
    return first && !isTool(first.service) ? first.service : undefined
  })
  const chosen = routesOf(activeServices(services, enabled)).slice(0, MOST_ROUTED)
  return {
    routes: chosen.map(({ service: { name, health }, port }) => ({
      name,
      port,
      health: health !== null && health.port === port && health.path !== '/' ? health.path : null,
    })),
    profiles: [...enabled],
  }
}

type Candidate = { readonly service: ServiceOutline; readonly port: number | null; readonly host: number | null }

function routesAmong(services: readonly RoutableService[]): readonly Candidate[] {
  const awaited = new Set(
    services.flatMap(({ dependsOn }) => dependsOn.filter((one) => one.untilItEnds).map(({ name }) => name)),
  )
  const possible = nameable(services).filter(
    (service) => service.isReachable && !awaited.has(service.name) && !isWorker(service),
  )
  // The platform refuses a proxy that reads the Docker socket, so visitors go to what is behind it.
  const others = possible.filter((service) => !(service.readsSocket && isProxy(service)))
  const behind = others.length < possible.length ? chooseAmong(others) : []
  return behind.some(({ service, port }) => port !== null && !isTool(service)) ? behind : chooseAmong(possible)
}

function chooseAmong(possible: readonly RoutableService[]): readonly Candidate[] {
  const chosen: Candidate[] = []
  for (const portsOf of SOURCES) {
    const found = possible
      .filter((service) => chosen.every((one) => one.service !== service))
      .flatMap((service) => {
        const [best] = visitorPorts(service, portsOf(service), service.inDockerfile)
        return best === undefined ? [] : [{ service, port: best.port, host: best.host ?? null }]
      })
    chosen.push(...found)
    // Further sources name ports that are not meant for visitors, once there is something to open.
    if (found.some(({ service }) => !isTool(service))) return chosen.toSorted(byRank)
  }
  const unknown = possible
    .filter((service) => !isTool(service) && !isStore(service))
    .map((service) => ({ service, port: null, host: null }))
    .toSorted(byRank)
    .slice(0, 1)
  return [...unknown, ...chosen.toSorted(byRank)]
}

type Ports = (service: RoutableService) => readonly { readonly port: number; readonly host?: number | null }[]

const plain = (ports: readonly number[]) => ports.map((port) => ({ port }))

/** What is published is meant for visitors; the others are hints, each weaker than the one before it. */
const SOURCES: readonly Ports[] = [
  ({ published }) => published.filter(({ isLocal }) => !isLocal),
  ({ proxied }) => plain(proxied),
  ({ published }) => published,
  ({ exposed }) => plain(exposed),
  ({ inDockerfile }) => plain(inDockerfile),
  ({ mentioned }) => plain(mentioned),
  ({ mentionedInDockerfile }) => plain(mentionedInDockerfile),
]

/** Services whose names can be part of a host name, each once. */
function nameable<T extends ServiceOutline>(services: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  return services.filter(({ name }) => {
    const label = serviceLabel(name)
    if (!isServiceLabel(label) || seen.has(label)) return false
    seen.add(label)
    return true
  })
}
