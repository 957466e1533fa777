// Plans how each service of a compose file gets from its running container to the new version.
//
// A hash of the service, its image and what the platform adds decides whether a service changed. Each is then unchanged, started beside the old
// one, recreated in place, or run once.

import type { ComposeModel, ComposeService, DeployMode, Plan, ServicePlan, Slot } from '@shipway/rules/compose/model'
import { folderOf } from '@shipway/rules/compose/mounts/persistent-folders'
import { dependencyLevels, joinedServices } from './dependency-levels.ts'
import { serviceHash } from './service-hash.ts'

export type Planning = {
  /** The routed ones, as `.service.yml` names them. */
  readonly services: ReadonlyMap<string, { readonly port: number | null; readonly health: string | null }>
  /** The running containers. The hash of an unhealthy one is empty, so that it is replaced. */
  readonly live: ReadonlyMap<string, LiveService>
  /** Ids of the images that the services are to run. */
  readonly images: ReadonlyMap<string, string>
  /** Services whose image itself declares a volume: without a name of its own, its data goes from container to container. */
  readonly withVolumes?: ReadonlySet<string>
  /** Other settings of containers; a change of them replaces every container. */
  readonly settings: string
  /** SHA-256 as hexadecimal. */
  readonly digest: (text: string) => string
}

type LiveService = {
  readonly hash: string
  readonly slot: Slot | null
  /** The release that it was started by, whose networks it keeps. */
  readonly release?: number
}

export function planServices(model: ComposeModel, planning: Planning): Plan {
  const levels = dependencyLevels(model.services)
  const ordered = [...model.services.values()].sort((a, b) => (levels.get(a.name) ?? 0) - (levels.get(b.name) ?? 0))
  const hashes = new Map<string, string>()
  for (const service of ordered) hashes.set(service.name, hashOf(service, { model, planning, hashes }))
  const planAll = (gathered: ReadonlySet<string>): readonly ServicePlan[] => {
    const planned = new Map<string, ServicePlan>()
    for (const service of ordered) {
      const own = { hash: hashes.get(service.name) ?? '', level: levels.get(service.name) ?? 0 }
      planned.set(service.name, planOf(service, { model, planning, planned, gathered, ...own }))
    }
    return [...planned.values()]
  }
  const services = planAll(new Set())
  const gathered = servicesToGather(services, planning.live)
  return {
    services: gathered.size > 0 ? planAll(gathered) : services,
    unknownServices: [...planning.services.keys()].filter((name) => !model.services.has(name)),
  }
}

/** Releases whose networks may outlast their own time: a server has room for some thirty networks. */
const MOST_RELEASES = 2

/**
 * A container keeps the networks of the release that started it. Where that would be too many releases, the unchanged services that can run
 * twice restart, and are in the new networks alone. Not so where one that cannot run twice depends on them.
 */
function servicesToGather(services: readonly ServicePlan[], live: Planning['live']): ReadonlySet<string> {
  const unchanged = services.filter(({ mode }) => mode === 'unchanged')
  const releases = new Set(unchanged.map(({ name }) => live.get(name)?.release ?? 0))
  if (unchanged.length === services.length || releases.size <= MOST_RELEASES) return new Set()
  const stay = new Set(unchanged.filter(({ canRunTwice }) => !canRunTwice).map(({ name }) => name))
  for (const { name, dependsOn } of services.toReversed()) {
    if (stay.has(name)) for (const needed of dependsOn.keys()) stay.add(needed)
  }
  return new Set(unchanged.flatMap(({ name }) => (stay.has(name) ? [] : [name])))
}

type Dependencies = { readonly model: ComposeModel; readonly planning: Planning }

function hashOf(
  service: ComposeService,
  { model, planning, hashes }: Dependencies & { readonly hashes: ReadonlyMap<string, string> },
): string {
  return serviceHash(model, service, {
    imageId: planning.images.get(service.name) ?? null,
    port: portOf(service, planning),
    settings: planning.settings,
    joined: joinedServices(service).map((name) => hashes.get(name) ?? ''),
    digest: planning.digest,
  })
}

type Planned = Dependencies & {
  readonly hash: string
  readonly level: number
  /** Those of lower levels. */
  readonly planned: ReadonlyMap<string, ServicePlan>
  readonly gathered: ReadonlySet<string>
}

function planOf(service: ComposeService, { model, planning, hash, level, planned, gathered }: Planned): ServicePlan {
  const { name } = service
  const live = planning.live.get(name)
  const why =
    whyInPlace(service, model) ?? (planning.withVolumes?.has(name) ? 'its image keeps data in a volume' : null)
  const isSame = live?.hash === hash && planning.images.has(name)
  const restartReason = isSame ? (findRestartReason(service, planned) ?? (gathered.has(name) ? GATHERED : null)) : null
  const isUnchanged = isSame && restartReason === null
  const mode: DeployMode = isUnchanged ? 'unchanged' : isOneShot(name, model) ? 'one_shot' : why ? 'in_place' : 'beside'
  const routed = planning.services.get(name)
  return {
    name,
    level,
    mode,
    hash,
    restartReason,
    canRunTwice: why === null,
    whyInPlace: mode === 'in_place' ? why : null,
    isRouted: routed !== undefined,
    port: portOf(service, planning),
    health: routed?.health ?? null,
    slot: routed ? slotOf(mode, live?.slot ?? null) : null,
    dependsOn: service.dependsOn,
    hasHealthcheck: service.hasHealthcheck,
    isBuilt: service.build !== null,
    image: service.image,
  }
}

const GATHERED = 'so that the environment needs fewer networks'

/** Programs keep the address that they found at their start: a proxy would go on asking the container that is gone. */
function findRestartReason({ dependsOn }: ComposeService, planned: ReadonlyMap<string, ServicePlan>): string | null {
  const replaced = [...dependsOn.keys()].filter((name) => {
    const mode = planned.get(name)?.mode
    return mode === 'beside' || mode === 'in_place'
  })
  return replaced.length > 0 ? `since it depends on ${replaced.join(', ')}` : null
}

/** Where `.service.yml` names no port, the only one that the compose file names. */
function portOf({ name, exposed }: ComposeService, { services }: Planning): number | null {
  const routed = services.get(name)
  if (!routed) return null
  return routed.port ?? (exposed.length === 1 ? (exposed[0] ?? null) : null)
}

/** The two take turns; what is recreated in place keeps its port. */
function slotOf(mode: DeployMode, current: Slot | null): Slot {
  if (current === null) return 'a'
  if (mode !== 'beside') return current
  return current === 'a' ? 'b' : 'a'
}

function isOneShot(name: string, { services }: ComposeModel): boolean {
  return [...services.values()].some(
    ({ dependsOn }) => dependsOn.get(name)?.condition === 'service_completed_successfully',
  )
}

/** In the words that follow "cannot run twice". */
function whyInPlace(service: ComposeService, { services, volumes }: ComposeModel): string | null {
  if (service.ports.some(({ published }) => published !== null)) return 'it publishes a fixed port on the machine'
  if (service.containerName !== null) return 'its container has a fixed name'
  if (service.networkMode === 'host') return 'it listens in the network of the machine'
  const written = service.mounts.flatMap(({ type, source, isReadOnly }) =>
    type === 'volume' && source !== null && !isReadOnly ? [volumes.get(source)] : [],
  )
  if (written.some((volume) => folderOf(volume) !== null)) return 'it writes to a persistent folder'
  if (written.length > 0) return 'it writes to a volume of its own'
  if (joinedServices(service).length > 0) return 'it shares the network, processes or volumes of another service'
  const joined = [...services.values()].find((other) => joinedServices(other).includes(service.name))
  return joined ? `${joined.name} shares its network, processes or volumes` : null
}
