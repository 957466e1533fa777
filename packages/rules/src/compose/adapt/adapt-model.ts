// Adapts a compose model to the platform: whatever names or takes something of the machine, and is harmless otherwise, becomes the
// environment's own. Each change is reported. Dangerous parts stay as they are, for the policy to refuse.
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { ComposeModel } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { composeDocument, composeModel } from '../read-compose-model.ts'
import { RUNTIME_RULES } from '../runtime-rules.ts'
import { adaptNetworks, adaptVolumes } from './adapt-resources.ts'
import { adaptService } from './adapt-service.ts'
import type { Note } from './note.ts'

export type AdaptOptions = {
  readonly grants: ReadonlySet<Capability>
  /** Names of the services that `.service.yml` routes. */
  readonly routed: ReadonlySet<string>
  /** Of the server; by default one machine. */
  readonly runtime?: RuntimeName
}

export function adaptModel(
  model: ComposeModel,
  { grants: granted, routed, runtime = 'compose' }: AdaptOptions,
): { readonly model: ComposeModel; readonly notes: readonly Note[] } {
  const grants = RUNTIME_RULES[runtime].grants(granted)
  const networks = adaptNetworks(model, { grants, runtime })
  const volumes = adaptVolumes(model, grants)
  const services = [...model.services.values()].map((service) => ({
    name: service.name,
    ...adaptService(service, { model, grants, isRouted: routed.has(service.name), runtime, ...networks }),
  }))
  const changed = composeModel({
    ...composeDocument(model),
    services: Object.fromEntries(services.map(({ name, definition }) => [name, definition])),
    networks: Object.fromEntries(networks.definitions),
    volumes: Object.fromEntries(volumes.definitions),
  })
  return { model: changed, notes: [...services.flatMap(({ notes }) => notes), ...networks.notes, ...volumes.notes] }
}
