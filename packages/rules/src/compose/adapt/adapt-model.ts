// Adapts a compose model to the platform: whatever names or takes something of the machine, and is harmless otherwise, becomes the
// environment's own. Each change is reported. Dangerous parts stay as they are, for the policy to refuse.
import type { ComposeModel } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { composeDocument, composeModel } from '../read-compose-model.ts'
import { adaptNetworks, adaptVolumes } from './adapt-resources.ts'
import { adaptService } from './adapt-service.ts'
import type { Note } from './note.ts'

export type AdaptOptions = {
  readonly grants: ReadonlySet<Capability>
  /** Names of the services that `.service.yml` routes. */
  readonly routed: ReadonlySet<string>
}

export function adaptModel(
  model: ComposeModel,
  { grants, routed }: AdaptOptions,
): { readonly model: ComposeModel; readonly notes: readonly Note[] } {
  const networks = adaptNetworks(model, grants)
  const volumes = adaptVolumes(model, grants)
  const services = [...model.services.values()].map((service) => ({
    name: service.name,
    ...adaptService(service, { model, grants, isRouted: routed.has(service.name), ...networks }),
  }))
  const changed = composeModel({
    ...composeDocument(model),
    services: Object.fromEntries(services.map(({ name, definition }) => [name, definition])),
    networks: Object.fromEntries(networks.definitions),
    volumes: Object.fromEntries(volumes.definitions),
  })
  return { model: changed, notes: [...services.flatMap(({ notes }) => notes), ...networks.notes, ...volumes.notes] }
}
