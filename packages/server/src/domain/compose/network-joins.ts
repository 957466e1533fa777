// Which running containers join the networks of a new release, and under which names.
import type { JsonObject, ServicePlan } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { networkKey, type ReleaseNetwork } from './release-networks.ts'

export type Join = {
  readonly containerId: string
  readonly service: string
  readonly networks: readonly { readonly name: string; readonly aliases: readonly string[] }[]
}

type Container = {
  readonly id: string
  readonly service: string
  readonly status: string
  readonly networks: readonly string[]
}

type Joining = {
  /** The document that is written for Compose. */
  readonly document: JsonObject
  readonly project: string
  readonly networks: readonly ReleaseNetwork[]
  readonly containers: readonly Container[]
}

/**
 * Services that did not change join under their names: the new containers find them. What is replaced joins only where something is
 * recreated in place, and under no name: until it goes, it finds that one as before, and no client takes it for the new version.
 */
export function networkJoins(
  services: readonly ServicePlan[],
  { document, project, networks, containers }: Joining,
): readonly Join[] {
  const modes = new Map(services.map(({ name, mode }) => [name, mode]))
  const running = containers.filter(({ status }) => status === 'running')
  const inPlace = new Set(
    services.filter(({ mode }) => mode === 'in_place').flatMap(({ name }) => Object.keys(networksOf(document, name))),
  )
  return running.flatMap(({ id: containerId, service, networks: own }) => {
    const isUnchanged = modes.get(service) === 'unchanged'
    // Compose is about to put another one in its place.
    if (modes.get(service) === 'in_place') return []
    const keys = isUnchanged
      ? new Set(Object.keys(networksOf(document, service)))
      : new Set(own.flatMap((name) => networkKey(name, project) ?? []).filter((key) => inPlace.has(key)))
    const joined = networks.filter(({ key, name }) => keys.has(key) && !own.includes(name))
    if (joined.length === 0) return []
    const aliasesIn = (key: string): string[] => (isUnchanged ? aliasesOf(document, service, key) : [])
    return [{ containerId, service, networks: joined.map(({ key, name }) => ({ name, aliases: aliasesIn(key) })) }]
  })
}

const networksOf = (document: JsonObject, service: string): JsonObject =>
  objectOf(objectOf(objectOf(document.services)[service]).networks)

/** Its name is one of them, as Compose has it. */
function aliasesOf(document: JsonObject, service: string, key: string): string[] {
  const { aliases } = objectOf(networksOf(document, service)[key])
  return [...new Set([service, ...(Array.isArray(aliases) ? aliases.map(String) : [])])]
}
