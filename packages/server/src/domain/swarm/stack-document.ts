// What runs on a Swarm, as `docker stack deploy` reads it: the checked model with what the platform adds, in two documents of one stack.
//
// `base` has what all releases share: services that cannot run twice, which are updated in place. `release` has a new service for every other
// one. Each network of the file is two: that of the release has all names, the one that outlives it those of shared services alone. So a name
// leads to one version.
//
// Values of variables are in both. `onlyServices` takes out what is to start. A job that is deployed again runs again: deploy each once.
import type { JsonObject, ServicePlan } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { withoutLinks } from '../compose/links-as-aliases.ts'
import { sourcesOf } from '../compose/service-hash.ts'
import { isShared, type StackInput } from './stack-input.ts'
import { stackNetworks } from './stack-networks.ts'
import { stackService } from './stack-service.ts'

export type StackDocuments = { readonly base: JsonObject; readonly release: JsonObject }

/** `composeJson` makes texts of them. */
export function stackDocuments(input: StackInput): StackDocuments {
  const { services } = input.plan
  const shared = services.filter(isShared)
  return {
    // Also those that stay as they are: a release command may run in a container like theirs.
    base: documentOf(input, shared),
    release: documentOf(
      input,
      services.filter((service) => !shared.includes(service)),
    ),
  }
}

/** The document with the services of these keys alone, and what they use. */
export function onlyServices(document: JsonObject, keys: ReadonlySet<string>): JsonObject {
  const services = Object.entries(objectOf(document.services)).filter(([key]) => keys.has(key))
  return withUsedParts({ ...document, services: Object.fromEntries(services) })
}

function documentOf(input: StackInput, planned: readonly ServicePlan[]): JsonObject {
  const linked = withoutLinks(input.model)
  const networks = stackNetworks(input)
  const made = planned.flatMap((plan) => {
    const service = linked.get(plan.name)
    return service ? [stackService(service, plan, { ...input, networks })] : []
  })
  const section = (name: 'volumes' | 'secrets' | 'configs'): JsonObject =>
    Object.fromEntries(made.flatMap((service) => Object.entries(service[name])))
  return withUsedParts({
    version: VERSION,
    services: Object.fromEntries(made.map(({ key, definition }) => [key, definition])),
    networks: Object.fromEntries(networks.map(({ key, definition }) => [key, definition])),
    volumes: section('volumes'),
    secrets: section('secrets'),
    configs: section('configs'),
  })
}

/** The newest that every supported Engine knows. */
const VERSION = '3.9'

/** Docker would make networks that no service uses. */
function withUsedParts(document: JsonObject): JsonObject {
  const services = Object.values(objectOf(document.services)).map(objectOf)
  const used: Readonly<Record<string, readonly string[]>> = {
    networks: services.flatMap(({ networks }) => Object.keys(objectOf(networks))),
    volumes: services.flatMap(({ volumes }) => sourcesOf(volumes)),
    secrets: services.flatMap(({ secrets }) => sourcesOf(secrets)),
    configs: services.flatMap(({ configs }) => sourcesOf(configs)),
  }
  const kept = Object.entries(used).map(([section, keys]) => {
    const definitions = Object.entries(objectOf(document[section])).filter(([key]) => keys.includes(key))
    return [section, Object.fromEntries(definitions)]
  })
  return { ...document, ...Object.fromEntries(kept) }
}
