// Decides how each service of a compose file gets from what runs to what is to run.

import type { ComposeModel, ComposeService, DeployMode, Plan, ServicePlan, Slot } from '@shipway/rules/compose/model'
import { folderOf } from '@shipway/rules/compose/mounts/persistent-folders'
import { dependencyLevels, joinedServices } from './dependency-levels.ts'
import { serviceHash } from './service-hash.ts'

export type Planning = {
  /** The routed ones, as `.service.yml` names them. */
  readonly services: ReadonlyMap<string, { readonly port: number | null; readonly health: string | null }>
  /** The containers of now; the hash of one that does not run well is empty, so that another takes its place. */
  readonly live: ReadonlyMap<string, { readonly hash: string; readonly slot: Slot | null }>
  /** Ids of the images that the services are to run. */
  readonly images: ReadonlyMap<string, string>
  /** Services whose image itself declares a volume: without a name of its own, its data goes from container to container. */
  readonly withVolumes?: ReadonlySet<string>
  /** Whatever else the containers take; a change of it starts every one anew. */
  readonly settings: string
  /** SHA-256 as hexadecimal. */
  readonly digest: (text: string) => string
}

export function planServices(model: ComposeModel, planning: Planning): Plan {
  const levels = dependencyLevels(model.services)
  const ordered = [...model.services.values()].sort((a, b) => (levels.get(a.name) ?? 0) - (levels.get(b.name) ?? 0))
  const hashes = new Map<string, string>()
  for (const service of ordered) hashes.set(service.name, hashOf(service, { model, planning, hashes }))
  return {
    services: ordered.map((service) => {
      const hash = hashes.get(service.name) ?? ''
      return planOf(service, { model, planning, hash, level: levels.get(service.name) ?? 0 })
    }),
    unknownServices: [...planning.services.keys()].filter((name) => !model.services.has(name)),
  }
}

type Surroundings = { readonly model: ComposeModel; readonly planning: Planning }

function hashOf(
  service: ComposeService,
  { model, planning, hashes }: Surroundings & { readonly hashes: ReadonlyMap<string, string> },
): string {
  return serviceHash(model, service, {
    imageId: planning.images.get(service.name) ?? null,
    port: portOf(service, planning),
    settings: planning.settings,
    joined: joinedServices(service).map((name) => hashes.get(name) ?? ''),
    digest: planning.digest,
  })
}

function planOf(
  service: ComposeService,
  { model, planning, hash, level }: Surroundings & { readonly hash: string; readonly level: number },
): ServicePlan {
  const { name } = service
  const live = planning.live.get(name)
  const why =
    whyInPlace(service, model) ?? (planning.withVolumes?.has(name) ? 'its image keeps data in a volume' : null)
  const isUnchanged = live?.hash === hash && planning.images.has(name)
  const mode: DeployMode = isUnchanged ? 'unchanged' : isOneShot(name, model) ? 'one_shot' : why ? 'in_place' : 'beside'
  const routed = planning.services.get(name)
  return {
    ...{ name, level, mode, hash },
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
