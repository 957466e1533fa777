// One service of a stack: what the compose file says, in the words of the stack format, with what the platform adds. What a Swarm cannot do is
// not in the model: the rules have refused it.
import type { ComposeService, JsonObject, ServicePlan } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { restartPause, stopTime } from '@shipway/rules/compose/swarm/times'
import { idLabels } from '../compose/override-for.ts'
import { constraintsOf } from './placement.ts'
import { fileKey, mountedFiles, referencesIn, type StackFile } from './stack-files.ts'
import { isShared, type StackInput } from './stack-input.ts'
import { stackKey, stackObjectName } from './stack-names.ts'
import { networksOf, type StackNetwork } from './stack-networks.ts'
import { stackResources } from './stack-resources.ts'
import { pinnedTo, stackMounts } from './stack-volumes.ts'

export type StackServiceInput = StackInput & { readonly networks: readonly StackNetwork[] }

type StackService = {
  readonly key: string
  readonly definition: JsonObject
  /** Of the document, by key. */
  readonly volumes: JsonObject
  readonly secrets: JsonObject
  readonly configs: JsonObject
}

export function stackService(service: ComposeService, plan: ServicePlan, input: StackServiceInput): StackService {
  const { definition: own } = service
  const owner = input.ids
  const labels = labelsOf(plan, service, input)
  const { mounts, definitions: volumes } = stackMounts(service, input)
  const secrets = filesOf(service, 'secrets', input)
  const configs = filesOf(service, 'configs', input)
  const isInRelease = !isShared(plan)
  const key = stackKey({ owner, service: plan.name, taskId: isInRelease ? input.taskId : null }, input.digest)
  const definition = {
    ...Object.fromEntries(SAME.flatMap((name) => (isGiven(own[name]) ? [[name, own[name]]] : []))),
    ...startOf(own),
    image: input.images.get(plan.name),
    environment: environmentOf(service, input),
    labels: { ...objectOf(own.labels), ...labels },
    networks: networksOf(service, { networks: input.networks, input, isInRelease }),
    ...(plan.port === null || plan.slot === null
      ? {}
      : { ports: [{ target: plan.port, protocol: 'tcp', mode: 'host' }] }),
    ...(isGiven(own.stop_grace_period) ? { stop_grace_period: stopTime(own.stop_grace_period) } : {}),
    ...(isGiven(own.extra_hosts) ? { extra_hosts: hostsOf(own.extra_hosts) } : {}),
    ...(isGiven(own.healthcheck) ? { healthcheck: healthcheckOf(objectOf(own.healthcheck)) } : {}),
    volumes: mounts,
    secrets: secrets.references,
    configs: configs.references,
    deploy: deployOf(service, plan, { ...input, labels }),
  }
  return { key, definition, volumes, secrets: secrets.definitions, configs: configs.definitions }
}

/** Keys that mean the same in a stack. */
const SAME = [
  'cap_add',
  'cap_drop',
  'dns',
  'dns_search',
  'hostname',
  'init',
  'logging',
  'read_only',
  'stdin_open',
  'stop_signal',
  'sysctls',
  'tty',
  'ulimits',
  'user',
  'working_dir',
]

/** A Swarm takes an empty entrypoint for that of the image. */
function startOf({ entrypoint, command }: JsonObject): JsonObject {
  if (Array.isArray(entrypoint) && entrypoint.length === 0) return isGiven(command) ? { entrypoint: command } : {}
  return { ...(isGiven(entrypoint) ? { entrypoint } : {}), ...(isGiven(command) ? { command } : {}) }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** A Swarm takes two braces for a template. */
function environmentOf({ definition }: ComposeService, { variables }: StackInput): JsonObject {
  const all = { ...objectOf(definition.environment), ...Object.fromEntries(variables) }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      isGiven(value) ? [[key, String(value).replaceAll('{{', '{{"{{"}}')]] : [],
    ),
  )
}

/** Compose prints `name=address`. */
const hostsOf = (hosts: unknown): unknown =>
  Array.isArray(hosts)
    ? hosts.map((host) => String(host).replace('=', ':'))
    : Object.entries(objectOf(hosts)).map(([name, address]) => `${name}:${address}`)

const healthcheckOf = ({ start_interval: _interval, ...others }: JsonObject): JsonObject => others

function labelsOf(plan: ServicePlan, service: ComposeService, input: StackServiceInput): JsonObject {
  const group = input.groups.get(plan.name)
  const node = nodeOf(service, input)
  return {
    ...idLabels(input.ids),
    'shipway.task': String(input.taskId),
    'shipway.service': plan.name,
    'shipway.mode': plan.mode,
    'shipway.hash': plan.hash,
    ...(plan.slot === null ? {} : { 'shipway.slot': plan.slot }),
    ...(group === undefined || plan.port === null
      ? {}
      : { 'shipway.group': String(group), 'shipway.port': String(plan.port) }),
    ...(node === undefined ? {} : { 'shipway.node': node }),
  }
}

/** Where its volumes are. */
const nodeOf = (service: ComposeService, input: StackInput): string | undefined =>
  pinnedTo(service, input).flatMap((key) => input.volumes.get(key)?.node ?? [])[0]

function deployOf(
  service: ComposeService,
  plan: ServicePlan,
  input: StackServiceInput & { readonly labels: JsonObject },
): JsonObject {
  const deploy = objectOf(service.definition.deploy)
  const isJob = plan.mode === 'one_shot'
  const replicas = isJob || isShared(plan) ? 1 : (input.replicas.get(plan.name) ?? service.replicas)
  const node = nodeOf(service, input)
  const { constraints: _constraints, ...placement } = objectOf(deploy.placement)
  const constraints = [...constraintsOf(service), ...(node === undefined ? [] : [`node.id==${node}`])]
  return {
    ...(isJob ? { mode: 'replicated-job' } : { replicas }),
    // A virtual address would lose requests while tasks come and go.
    endpoint_mode: 'dnsrr',
    labels: { ...objectOf(deploy.labels), ...input.labels },
    placement: { ...placement, constraints },
    resources: stackResources(service, input.limits),
    restart_policy: isJob ? { condition: 'none' } : restartOf(service, objectOf(deploy.restart_policy)),
    ...(isShared(plan) ? { update_config: { order: 'stop-first', failure_action: 'pause' } } : {}),
  }
}

function restartOf({ restart }: ComposeService, policy: JsonObject): JsonObject {
  if (isGiven(policy.delay)) return { ...policy, delay: restartPause(policy.delay) }
  if (Object.keys(policy).length > 0) return policy
  const [name, attempts] = (restart ?? 'unless-stopped').split(':')
  if (name === 'no') return { condition: 'none' }
  if (name !== 'on-failure') return { condition: 'any' }
  return { condition: 'on-failure', ...(attempts === undefined ? {} : { max_attempts: Number(attempts) }) }
}

type ServiceFiles = { readonly references: readonly JsonObject[]; readonly definitions: JsonObject }

function filesOf(service: ComposeService, section: 'secrets' | 'configs', input: StackInput): ServiceFiles {
  const kind = section === 'secrets' ? 'secret' : 'config'
  const declared = referencesIn(service, section).map(({ source, target, others }) => ({
    key: fileKey(kind, source),
    reference: { target, ...ownerOf(others), mode: modeOf(others.mode) },
  }))
  const mounted = (section === 'configs' ? mountedFiles(service) : []).map(({ source, target }) => {
    const key = fileKey('mount', source)
    return { key, reference: { target, mode: input.files.get(key)?.isExecutable === true ? 0o555 : 0o444 } }
  })
  const found = [...declared, ...mounted].flatMap(({ key, reference }) => {
    const file = input.files.get(key)
    return file
      ? [{ name: stackObjectName(input.ids, { key, digest: digestOf(file, key, input) }), file, reference }]
      : []
  })
  return {
    references: found.map(({ name, reference }) => ({ source: name, ...reference })),
    definitions: Object.fromEntries(
      found.map(({ name, file }) => [name, { name, file: file.path, labels: idLabels(input.ids) }]),
    ),
  }
}

/** Two files of the same content are two objects: one of them may be secret. */
const digestOf = (file: StackFile, key: string, { digest }: StackInput): string => digest(`${key}\n${file.digest}`)

function ownerOf({ uid, gid }: JsonObject): JsonObject {
  return {
    ...(isGiven(uid) ? { uid: String(uid) } : {}),
    ...(isGiven(gid) ? { gid: String(gid) } : {}),
  }
}

/** Compose prints it in octal. */
const modeOf = (mode: unknown): number =>
  typeof mode === 'number' ? mode : typeof mode === 'string' ? Number.parseInt(mode, 8) : 0o444
