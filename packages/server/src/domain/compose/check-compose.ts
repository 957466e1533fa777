// Judges the resolved model of a compose file: whatever is not known to be harmless is refused.
//
// Compose has read the files by then, and what it read them from (`extends`, `include`, `env_file`) is no longer in the model:
// check-compose-source.ts judges that beforehand.
import type { Capability } from './capabilities.ts'
import { liesIn } from './checkout-path.ts'
import type { ComposeModel, ComposeService, JsonObject, Refusal } from './model.ts'
import { configRule, networkRule, secretRule, volumeRule } from './policy-resources.ts'
import { allow, keysOf, objectOf, type PolicyContext, type Rule } from './policy-rules.ts'
import { serviceRule } from './policy-service.ts'
import { refusal, within } from './refusal.ts'

export type ComposeCheck = {
  /** The folder of the checkout on the server, absolute. */
  readonly checkout: string
  /** Symbolic links of the checkout, relative to it. */
  readonly links?: ReadonlySet<string>
  readonly variablesFile: string
  readonly projectName: string
  readonly grants: ReadonlySet<Capability>
  /** Names of the services that `.service.yml` routes. */
  readonly routed: ReadonlySet<string>
}

/** In the order of the model; empty where the model may be deployed. */
export function checkCompose(model: ComposeModel, check: ComposeCheck): Refusal[] {
  const ctx: PolicyContext = {
    checkout: { folder: check.checkout, links: check.links ?? new Set() },
    variablesFile: check.variablesFile,
    projectName: check.projectName,
  }
  const services = new Map([...model.services].map(([name, service]) => [name, service.definition]))
  const refusals = [
    ...(model.name === check.projectName ? [] : [refusal('name', { what: 'is not the name that the platform chose' })]),
    ...keysOf({ version: allow })(model.others, '', ctx),
    ...judge('services', services, serviceRule, ctx),
    ...judge('networks', model.networks, networkRule, ctx),
    ...judge('volumes', model.volumes, volumeRule, ctx),
    ...judge('secrets', model.secrets, secretRule, ctx),
    ...judge('configs', model.configs, configRule, ctx),
    ...mountsInWritableFolders(model),
    ...[...model.services.values()]
      .filter(({ name }) => check.routed.has(name))
      .flatMap((s) => cannotBeRouted(s, model)),
  ]
  return refusals.filter(({ capability }) => capability === null || !check.grants.has(capability))
}

function judge(
  section: string,
  definitions: ReadonlyMap<string, JsonObject>,
  rule: Rule,
  ctx: PolicyContext,
): Refusal[] {
  return [...definitions].flatMap(([name, definition]) => rule(definition, within(section, name), ctx))
}

/**
 * A container that can write to a folder can put a link in the place of anything inside; whatever is mounted from there
 * would, when its container starts again, lead anywhere on the machine.
 */
function mountsInWritableFolders({ services, secrets, configs }: ComposeModel): Refusal[] {
  const binds = [...services.values()].flatMap((service) =>
    service.mounts.flatMap(({ type, source, isReadOnly }, index) =>
      type === 'bind' && source !== null
        ? [{ key: within(within(within('services', service.name), 'volumes'), index), source, isReadOnly }]
        : [],
    ),
  )
  const files = [...fileSources('secrets', secrets), ...fileSources('configs', configs)]
  const writable = binds.filter(({ isReadOnly }) => !isReadOnly)
  return [...binds, ...files].flatMap(({ key, source }) => {
    const folder = writable.find((bind) => liesIn(source, bind.source))
    if (!folder) return []
    const what = `mounts something out of a folder that ${folder.key} lets a container write to`
    return [refusal(key, { what, advice: `Make ${folder.key} read-only` })]
  })
}

function fileSources(section: string, definitions: ReadonlyMap<string, JsonObject>): { key: string; source: string }[] {
  return [...definitions].flatMap(([name, { file }]) =>
    typeof file === 'string' ? [{ key: within(within(section, name), 'file'), source: file }] : [],
  )
}

/** A route leads to one port of one container, which Docker publishes from a network that reaches the machine. */
function cannotBeRouted({ name, networkMode, replicas, definition }: ComposeService, model: ComposeModel): Refusal[] {
  const key = within('services', name)
  const refusals: Refusal[] = []
  if (networkMode !== null) {
    const what = 'leaves the routed service without a network of its own'
    refusals.push(refusal(`${key}.network_mode`, { what, advice: 'Remove it, or route another service' }))
  }
  if (replicas !== 1) {
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
