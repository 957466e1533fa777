// What the platform adds to a compose file: names, labels, ports, variables and limits. It holds nothing out of the values of the
// model, which may be secret.

import type {
  ComposeLimits,
  ComposeModel,
  ComposeService,
  JsonObject,
  Plan,
  ServicePlan,
} from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { LOOPBACK } from '../loopback.ts'
import type { ReleaseNetwork } from './release-networks.ts'

export type Ids = {
  readonly installationId: string
  readonly environmentId: number
  readonly taskId: number
  /** Only the environment knows it: any build on the server could take an image whose name it can guess. */
  readonly imageToken: string
}

export type Override = Ids & {
  readonly variablesFile: string
  /** They win over whatever the files say. */
  readonly systemVariables: readonly (readonly [key: string, value: string])[]
  /** Keys of the custom variables: they win over `environment` too. Compose must get the variables file as `--env-file`. */
  readonly variableKeys?: readonly string[]
  /** On the machine, of each routed service: that of its slot. */
  readonly ports: ReadonlyMap<string, number>
  readonly limits: ComposeLimits
  /** Of the release, made before anything starts. */
  readonly networks?: readonly ReleaseNetwork[]
  /** Further labels of a service's containers, without the prefix. */
  readonly labels?: ReadonlyMap<string, Readonly<Record<string, string>>>
}

export function overrideFor(model: ComposeModel, plan: Plan, override: Override): JsonObject {
  const services = plan.services.flatMap((planned) => {
    const service = model.services.get(planned.name)
    return service ? [[planned.name, serviceOverride(service, planned, override)] as const] : []
  })
  return {
    services: Object.fromEntries(services),
    ...labelled('networks', model.networks, override),
    ...labelled('volumes', model.volumes, override),
  }
}

/** The name of the image that a task builds for a service. */
export function imageName({ imageToken, taskId }: Pick<Ids, 'imageToken' | 'taskId'>, service: string): string {
  return `shipway-${imageToken}-${imagePart(service)}:${taskId}`
}

/** Names of services may hold capitals, and separators where an image's name may not; no two may come to the same. */
function imagePart(service: string): string {
  if (/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(service)) return service
  return `x__${[...new TextEncoder().encode(service)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function serviceOverride(service: ComposeService, planned: ServicePlan, override: Override): JsonObject {
  const { name, isBuilt, mode, port } = planned
  const hostPort = override.ports.get(name)
  return {
    // Without this, Compose would look for the image in a registry when it is gone.
    ...(isBuilt ? { image: imageName(override, name), pull_policy: 'never' } : {}),
    labels: containerLabels(planned, override),
    env_file: [override.variablesFile],
    environment: environmentOf(service, override),
    ...(hostPort === undefined || port === null ? {} : { ports: [`${LOOPBACK}:${hostPort}:${port}`] }),
    ...limitsFor(service, override.limits),
    ...restartOf(service, mode),
  }
}

/** Not the task: what it is on outlives it, and an image with another label would be another image. */
export function idLabels({
  installationId,
  environmentId,
}: Pick<Ids, 'installationId' | 'environmentId'>): Record<string, string> {
  return { 'shipway.installation': installationId, 'shipway.environment': String(environmentId) }
}

function containerLabels({ name, hash, slot }: ServicePlan, override: Override): Record<string, string> {
  const further = Object.entries(override.labels?.get(name) ?? {})
  return {
    ...idLabels(override),
    'shipway.task': String(override.taskId),
    'shipway.release': String(override.taskId),
    'shipway.service': name,
    'shipway.hash': hash,
    ...(slot === null ? {} : { 'shipway.slot': slot }),
    ...Object.fromEntries(further.map(([key, value]) => [`shipway.${key}`, value])),
  }
}

/** A key without a value is taken from the variables file, so that no custom value stands in this file. */
function environmentOf({ definition }: ComposeService, { systemVariables, variableKeys = [] }: Override): JsonObject {
  const inFile = objectOf(definition.environment)
  const custom = variableKeys.filter((key) => Object.hasOwn(inFile, key) && !ownOfCompose.includes(key))
  return Object.fromEntries([...custom.map((key) => [key, null] as const), ...systemVariables])
}

/** Compose would take these from its own process. */
const ownOfCompose = ['PATH', 'HOME', 'LANG', 'XDG_RUNTIME_DIR']

/**
 * The limits of a container: those of its compose file where they are lower than the platform's, else the platform's. Compose knows each
 * limit by two names and refuses a file in which they differ, so both are set where `deploy` has limits.
 */
function limitsFor({ limits: own, definition }: ComposeService, platform: ComposeLimits): JsonObject {
  const inDeploy = objectOf(objectOf(objectOf(definition.deploy).resources).limits)
  const cpus = lowered(own.cpus, platform.cpus)
  const memory = lowered(own.memoryBytes, platform.memoryBytes)
  const processes = lowered(own.processes, platform.processes)
  const deploy = {
    ...(cpus === null ? {} : { cpus: String(cpus) }),
    ...(memory === null ? {} : { memory: String(memory) }),
    ...(processes === null ? {} : { pids: processes }),
  }
  const isInDeploy = Object.keys(inDeploy).length > 0 && Object.keys(deploy).length > 0
  return {
    ...(cpus === null ? {} : { cpus }),
    ...(memory === null ? {} : { mem_limit: memory }),
    ...(processes === null ? {} : { pids_limit: processes }),
    ...(isInDeploy ? { deploy: { resources: { limits: deploy } } } : {}),
  }
}

/** The platform's limit where the file's is higher or absent; null where the file may stay as it is. */
function lowered(own: number | null, platform: number | null): number | null {
  return platform !== null && (own === null || own > platform) ? platform : null
}

function restartOf({ restart, definition }: ComposeService, mode: ServicePlan['mode']): JsonObject {
  if (mode === 'one_shot') return { restart: 'no' }
  const hasPolicy = restart !== null || objectOf(definition.deploy).restart_policy !== undefined
  return hasPolicy ? {} : { restart: 'unless-stopped' }
}

/** External ones are not the environment's own, and Compose refuses labels on them. */
function labelled(section: string, definitions: ReadonlyMap<string, JsonObject>, ids: Ids): JsonObject {
  const own = [...definitions].filter(([, { external }]) => external !== true)
  if (own.length === 0) return {}
  return { [section]: Object.fromEntries(own.map(([name]) => [name, { labels: idLabels(ids) }])) }
}
