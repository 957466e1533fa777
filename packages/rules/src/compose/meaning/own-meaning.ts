// Gives a compose file the meaning that it has on the platform: whatever names or takes something of the machine, and is harmless without
// that, means something of the environment's own. Each such change is told. What is dangerous stays as it is, for the policy to refuse.
import type { ComposeModel } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { composeDocument, composeModel } from '../read-compose-model.ts'
import { ownNetworks, ownVolumes } from './meaning-of-resources.ts'
import { meaningOfService } from './meaning-of-service.ts'
import type { Note } from './note.ts'

export type Meaning = {
  readonly grants: ReadonlySet<Capability>
  /** Names of the services that `.service.yml` routes. */
  readonly routed: ReadonlySet<string>
}

export function ownMeaning(
  model: ComposeModel,
  { grants, routed }: Meaning,
): { readonly model: ComposeModel; readonly notes: readonly Note[] } {
  const networks = ownNetworks(model, grants)
  const volumes = ownVolumes(model, grants)
  const services = [...model.services.values()].map((service) => ({
    name: service.name,
    ...meaningOfService(service, { model, grants, isRouted: routed.has(service.name), ...networks }),
  }))
  const changed = composeModel({
    ...composeDocument(model),
    services: Object.fromEntries(services.map(({ name, definition }) => [name, definition])),
    networks: Object.fromEntries(networks.definitions),
    volumes: Object.fromEntries(volumes.definitions),
  })
  return { model: changed, notes: [...services.flatMap(({ notes }) => notes), ...networks.notes, ...volumes.notes] }
}
