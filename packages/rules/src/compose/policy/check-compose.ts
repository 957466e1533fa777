// Checks the resolved model of a compose file: whatever is not known to be harmless is refused.
//
// The model no longer shows what was read through `extends`, `include` and `env_file`: check-compose-source.ts checks that beforehand.
import type { RuntimeName } from '@shipway/api/values/runtime'
import { canScale } from '@shipway/api/values/runtime-facts'
import type { ComposeModel, ComposeService, JsonObject, Refusal } from '../model.ts'
import type { Capability } from './capabilities.ts'
import { configRule, networkRule, secretRule, volumeRule } from './policy-resources.ts'
import { allow, keysOf, objectOf, type PolicyContext, type Rule } from './policy-rules.ts'
import { serviceRule } from './policy-service.ts'
import { refusal, within } from './refusal.ts'

export type ComposeCheck = {
  /** The folder of the checkout on the server, absolute. */
  readonly checkout: string
  /** Symbolic links of the checkout, relative to it. */
  readonly links?: ReadonlySet<string>
  /** The platform's folder on the server, which holds the checkout too. */
  readonly platformFolder: string
  readonly variablesFile: string
  readonly projectName: string
  readonly grants: ReadonlySet<Capability>
  /** Names of the services that `.service.yml` routes. */
  readonly routed: ReadonlySet<string>
  /** Of the server; by default one machine. */
  readonly runtime?: RuntimeName
}

/** In the order of the model; empty if it may be deployed. */
export function checkCompose(model: ComposeModel, check: ComposeCheck): Refusal[] {
  const ctx: PolicyContext = {
    checkout: { folder: check.checkout, links: check.links ?? new Set() },
    platformFolder: check.platformFolder,
    variablesFile: check.variablesFile,
    projectName: check.projectName,
  }
  const services = new Map([...model.services].map(([name, service]) => [name, service.definition]))
  const refusals = [
    ...(model.name === check.projectName ? [] : [refusal('name', { what: 'is not the name that the platform chose' })]),
    ...keysOf({ version: allow })(model.others, '', ctx),
    ...refusalsIn('services', services, serviceRule, ctx),
    ...refusalsIn('networks', model.networks, networkRule, ctx),
    ...refusalsIn('volumes', model.volumes, volumeRule, ctx),
    ...refusalsIn('secrets', model.secrets, secretRule, ctx),
    ...refusalsIn('configs', model.configs, configRule, ctx),
    ...[...model.services.values()]
      .filter(({ name }) => check.routed.has(name))
      .flatMap((service) => cannotBeRouted(service, model, check.runtime ?? 'compose')),
  ]
  return refusals.filter(({ capability }) => capability === null || !check.grants.has(capability))
}

function refusalsIn(
  section: string,
  definitions: ReadonlyMap<string, JsonObject>,
  rule: Rule,
  ctx: PolicyContext,
): Refusal[] {
  return [...definitions].flatMap(([name, definition]) => rule(definition, within(section, name), ctx))
}

/** A route leads to one port of one container, or of several where services can be scaled, which Docker publishes from a network that reaches the machine. */
function cannotBeRouted(
  { name, networkMode, replicas, definition }: ComposeService,
  model: ComposeModel,
  runtime: RuntimeName,
): Refusal[] {
  const key = within('services', name)
  const refusals: Refusal[] = []
  if (networkMode !== null) {
    const what = 'leaves the routed service without a network of its own'
    refusals.push(refusal(`${key}.network_mode`, { what, advice: 'Remove it, or route another service' }))
  }
  if (replicas !== 1 && !canScale[runtime]) {
    const what = 'asks for another number of containers than one, while a route leads to exactly one'
    refusals.push(refusal(key, { what, advice: 'Remove scale and deploy.replicas from the routed service' }))
  }
  const networks = Object.keys(objectOf(definition.networks))
  if (networks.length > 0 && networks.every((network) => model.networks.get(network)?.internal === true)) {
    const what = 'has only internal networks, from which no port can be published'
    refusals.push(
      refusal(`${key}.networks`, { what, advice: 'Add the routed service to a network that is not internal' }),
    )
  }
  return refusals
}
