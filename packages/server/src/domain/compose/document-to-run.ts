// The one compose file that runs: the model that was checked with what the platform adds, and nothing that leads to another file.
import type { ComposeModel, ComposeService, JsonObject, Plan } from '@shipway/rules/compose/model'
import { FOLDER_LABEL, folderOf, withoutFolderKey } from '@shipway/rules/compose/mounts/persistent-folders'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { withoutLinks } from './links-as-aliases.ts'
import { type Override, overrideFor } from './override-for.ts'

/** Values of variables are in it. Its text is for `composeJson`. */
export function documentToRun(model: ComposeModel, plan: Plan, override: Override): JsonObject {
  const added = overrideFor(model, plan, override)
  const linked = withoutLinks(model)
  const services = [...linked.values()].map((service) => [
    service.name,
    serviceToRun(service, objectOf(objectOf(added.services)[service.name])),
  ])
  // The platform has made them: Compose only finds them there.
  const ofRelease = (override.networks ?? []).map(({ key, name }) => [key, { name, external: true }] as const)
  const volumes = [...model.volumes].map(([name, volume]) => [name, withFolderLabel(volume)] as const)
  return {
    name: model.name,
    services: Object.fromEntries(services),
    networks: { ...labelled(model.networks, added.networks), ...Object.fromEntries(ofRelease) },
    volumes: labelled(new Map(volumes), added.volumes),
    secrets: Object.fromEntries(model.secrets),
    configs: Object.fromEntries(model.configs),
  }
}

/**
 * Compose has put `env_file` and `label_file` into the model. It never builds here; and what a profile was asked for is in the
 * model, or not.
 */
const DONE = ['build', 'env_file', 'label_file', 'profiles', 'develop', 'extends']

function serviceToRun({ definition }: ComposeService, added: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(definition).filter(([key]) => !DONE.includes(key)))
  const { ports = [], deploy, ...single } = added
  const limits = objectOf(objectOf(deploy).resources).limits
  return {
    ...own,
    ...single,
    labels: { ...objectOf(own.labels), ...objectOf(added.labels) },
    environment: { ...objectOf(own.environment), ...objectOf(added.environment) },
    ports: [...(Array.isArray(own.ports) ? own.ports : []), ...(Array.isArray(ports) ? ports : [])],
    ...(limits === undefined ? {} : { deploy: withLimits(objectOf(own.deploy), objectOf(limits)) }),
  }
}

function withLimits(deploy: JsonObject, limits: JsonObject): JsonObject {
  const resources = objectOf(deploy.resources)
  return { ...deploy, resources: { ...resources, limits: { ...objectOf(resources.limits), ...limits } } }
}

function labelled(definitions: ReadonlyMap<string, JsonObject>, added: unknown): JsonObject {
  const merged = [...definitions].map(([name, definition]) => {
    const further = objectOf(objectOf(objectOf(added)[name]).labels)
    const labels = { ...objectOf(definition.labels), ...further }
    return [name, Object.keys(labels).length === 0 ? definition : { ...definition, labels }] as const
  })
  return Object.fromEntries(merged)
}

function withFolderLabel(volume: JsonObject): JsonObject {
  const folder = folderOf(volume)
  return folder === null ? volume : { ...withoutFolderKey(volume), labels: { [FOLDER_LABEL]: folder } }
}
