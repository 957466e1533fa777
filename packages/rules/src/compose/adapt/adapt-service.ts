// Adapts one service to the platform.
import { posix } from 'node:path'
import type { RuntimeName } from '@shipway/api/values/runtime'
import { canScale, hasNodes } from '@shipway/api/values/runtime-facts'
import type { ComposeModel, ComposeService, JsonObject } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { isClockFile, isSet, objectOf } from '../policy/policy-rules.ts'
import { MAX_REPLICAS, PLATFORM_LIMITS } from '../policy/policy-service.ts'
import { within } from '../policy/refusal.ts'
import { adaptPorts } from './adapt-ports.ts'
import type { Note } from './note.ts'

export type AdaptContext = {
  readonly model: ComposeModel
  readonly grants: ReadonlySet<Capability>
  readonly isRouted: boolean
  readonly runtime: RuntimeName
  /** Networks that have other addresses than the file chose. */
  readonly moved: ReadonlySet<string>
  /** Networks that all releases are in; of the others each release has its own. */
  readonly shared: ReadonlySet<string>
}

export type Changed = { readonly definition: JsonObject; readonly notes: readonly Note[] }

export function adaptService(service: ComposeService, dependencies: AdaptContext): Changed {
  return CHANGES.reduce<Changed>(
    ({ definition, notes }, change) => {
      const next = change({ ...service, definition }, dependencies)
      return { definition: next.definition, notes: [...notes, ...next.notes] }
    },
    { definition: service.definition, notes: [] },
  )
}

type Change = (service: ComposeService, dependencies: AdaptContext) => Changed

/** Other services still find it by that name, through a network alias. */
const containerName: Change = ({ name, definition }, { model, grants }) => {
  const { container_name: given, ...others } = definition
  if (!isSet(given) || grants.has('container_names')) return { definition, notes: [] }
  const key = `${within('services', name)}.container_name`
  const networks = objectOf(definition.networks)
  const isAlias = typeof given === 'string' && /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(given)
  // The name of another service belongs to that one.
  const isFree = isAlias && !model.services.has(given) && Object.keys(networks).length > 0
  const how = isFree ? 'other services of the environment still find it by that name' : 'Compose chooses the name'
  const sentence = `${within('services', name)}: container_name is left out, since each environment has containers of its own; ${how}`
  if (!isFree) return { definition: others, notes: [{ key, sentence }] }
  const named = Object.entries(networks).map(([network, own]) => [network, withAlias(objectOf(own), given)])
  return { definition: { ...others, networks: Object.fromEntries(named) }, notes: [{ key, sentence }] }
}

function withAlias(network: JsonObject, alias: string): JsonObject {
  const { aliases } = network
  return { ...network, aliases: [...new Set([...(Array.isArray(aliases) ? aliases : []), alias])] }
}

/** Removes fixed addresses in networks whose range was changed. */
const addresses: Change = (service, { moved }) =>
  leaveOut(service, {
    keys: ['ipv4_address', 'ipv6_address'],
    isIn: (network) => moved.has(network),
    sentence: 'its fixed address is left out. Use the name of the service in its place',
  })

/**
 * An unchanged container joins the networks of new releases. There, `docker network connect` of older versions sets no priority, so its
 * gateway would move to a network that is removed with its release.
 */
const gateways: Change = (service, { shared }) =>
  leaveOut(service, {
    keys: ['gw_priority'],
    isIn: (network) => !shared.has(network),
    sentence: 'gw_priority is left out. Docker chooses the gateway',
  })

type LeftOut = {
  readonly keys: readonly string[]
  readonly isIn: (network: string) => boolean
  readonly sentence: string
}

/** Removes keys from some networks of a service. */
function leaveOut({ name, definition }: ComposeService, { keys, isIn, sentence }: LeftOut): Changed {
  const networks = Object.entries(objectOf(definition.networks))
  const hasKey = ([network, own]: (typeof networks)[number]): boolean =>
    isIn(network) && keys.some((key) => isSet(objectOf(own)[key]))
  if (!networks.some(hasKey)) return { definition, notes: [] }
  const free = networks.map((entry) => [entry[0], hasKey(entry) ? without(objectOf(entry[1]), keys) : entry[1]])
  const service = within('services', name)
  return {
    definition: { ...definition, networks: Object.fromEntries(free) },
    notes: [{ key: `${service}.networks`, sentence: `${service}: ${sentence}` }],
  }
}

const limits: Change = ({ name, definition }) => {
  const given = PLATFORM_LIMITS.filter((limit) => isSet(definition[limit]))
  const notes = given.map((limit) => ({
    key: `${within('services', name)}.${limit}`,
    sentence: `${within('services', name)}: ${limit} is left out. The platform sets limits, below them count cpus, mem_limit and pids_limit`,
  }))
  return { definition: given.length === 0 ? definition : without(definition, given), notes }
}

/** A service that cannot be scaled has one container. Absurd numbers are left for the policy to refuse. */
const replicas: Change = ({ name, definition, replicas: count }, { isRouted, runtime }) => {
  const { scale: _scale, deploy, ...others } = definition
  if (canScale[runtime] || !isRouted || count < 2 || count > MAX_REPLICAS) return { definition, notes: [] }
  const key = within('services', name)
  const sentence = `${key}: runs once and not ${count} times, since a route leads to one container`
  const single = deploy === undefined ? {} : { deploy: without(objectOf(deploy), ['replicas']) }
  return { definition: { ...others, ...single }, notes: [{ key, sentence }] }
}

/** The machine's clock files are read-only. Without `create_host_path: false` Docker would create a folder if the file is missing. */
const clock: Change = ({ name, definition }, { grants, runtime }) => {
  const { volumes } = definition
  if (!Array.isArray(volumes) || grants.has('host_paths')) return { definition, notes: [] }
  const notes: Note[] = []
  const mounts = volumes.flatMap((mount, index) => {
    const { type, source, read_only: isReadOnly, ...others } = objectOf(mount)
    if (type !== 'bind' || !isClockFile(source)) return [mount]
    const key = within(`${within('services', name)}.volumes`, index)
    const file = `${within('services', name)}: ${posix.normalize(String(source))}`
    // A container that mounts what its node lacks never starts.
    if (hasNodes[runtime]) {
      notes.push({ key, sentence: `${file} is left out, since a node may lack it. Set the variable TZ` })
      return []
    }
    if (isReadOnly !== true) notes.push({ key, sentence: `${file} is mounted read-only` })
    return [
      {
        ...others,
        type,
        source: posix.normalize(String(source)),
        read_only: true,
        bind: { create_host_path: false },
      },
    ]
  })
  return { definition: { ...definition, volumes: mounts }, notes }
}

/** The platform builds from the commit alone. With an image beside it, the build section says how the authors of that image make it. */
const remoteBuild: Change = ({ name, definition }) => {
  const { build, image } = definition
  const { context } = objectOf(build)
  if (typeof context !== 'string' || !REMOTE.test(context) || typeof image !== 'string' || image === '')
    return { definition, notes: [] }
  const service = within('services', name)
  const sentence = `${service}: its image is pulled and not built, since its build context is in another repository`
  return { definition: without(definition, ['build']), notes: [{ key: `${service}.build`, sentence }] }
}

/** As Docker tells an address from a path. */
const REMOTE = /^(?:https?:\/\/|git:\/\/|ssh:\/\/|git@|github\.com\/)|\.git(?:#|$)/

const CHANGES: readonly Change[] = [
  remoteBuild,
  adaptPorts,
  containerName,
  addresses,
  gateways,
  limits,
  replicas,
  clock,
]

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
