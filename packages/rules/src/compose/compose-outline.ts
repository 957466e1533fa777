// Outlines the services of a compose file: what they run, which ports they name, and when they run. Accepts any document, and skips what is
// not valid.
import { posix } from 'node:path'
import { type OutlinedPorts, outlinePorts, portsInText } from './outline-ports.ts'
import { interpolate } from './source/interpolation.ts'

export type ComposeOutline = { readonly services: readonly ServiceOutline[] }

export type ServiceOutline = OutlinedPorts & {
  readonly name: string
  readonly image: string | null
  /** What its image is built from, in the folder of the file. */
  readonly build: { readonly dockerfile: string; readonly target: string | null } | null
  /** It has an image, a build, or a service that it extends. */
  readonly isComplete: boolean
  /** Ports in its environment, command and health check. */
  readonly mentioned: readonly number[]
  readonly command: string
  /** The request that its own health check makes. */
  readonly health: { readonly path: string; readonly port: number } | null
  readonly profiles: readonly string[]
  readonly dependsOn: readonly Dependency[]
  /** Whether it has a network of its own, and at least one replica. */
  readonly isReachable: boolean
  /** Whether it mounts the Docker socket. */
  readonly readsSocket: boolean
}

type Dependency = { readonly name: string; readonly isRequired: boolean; readonly untilItEnds: boolean }
type Values = Readonly<Record<string, string>>
type Json = Readonly<Record<string, unknown>>

/** More than a project routes. */
const MOST_SERVICES = 200
const MOST_ENTRIES = 100

/** `values`: of variables that the file may use. */
export function outlineCompose(document: unknown, values: Values = {}): ComposeOutline {
  const services = isObject(document) && isObject(document.services) ? document.services : {}
  const text = (value: unknown): string => resolve(value, values)
  return {
    services: Object.entries(services)
      .slice(0, MOST_SERVICES)
      .map(([name, service]) => ({ name, ...outlineService(withBase(service, services), text) })),
  }
}

/** Of a variable without a value, nothing. */
function resolve(value: unknown, values: Values): string {
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return interpolate(value.slice(0, LONGEST), (name) =>
    Object.hasOwn(values, name) ? { text: values[name] ?? '' } : 'unset',
  ).text
}

const LONGEST = 2_000

/** A service of the same file that it extends; lists of both count. */
function withBase(service: unknown, services: Json): Json {
  const own = isObject(service) ? service : {}
  const name = isObject(own.extends) ? own.extends.service : own.extends
  const isElsewhere = isObject(own.extends) && own.extends.file !== undefined
  const base = typeof name === 'string' && !isElsewhere && Object.hasOwn(services, name) ? services[name] : undefined
  if (!isObject(base)) return own
  return { ...base, ...own, ports: [...listOf(base.ports), ...listOf(own.ports)] }
}

type Text = (value: unknown) => string

function outlineService(service: Json, text: Text): Omit<ServiceOutline, 'name'> {
  const command = [service.entrypoint, service.command].flatMap((words) => (Array.isArray(words) ? words : [words]))
  const started = command.map(text).filter(Boolean).join(' ').slice(0, LONGEST)
  const environment = pairsOf(service.environment, text)
  const check = isObject(service.healthcheck) ? service.healthcheck.test : undefined
  const checked = (Array.isArray(check) ? check : [check]).map(text).filter(Boolean).join(' ').slice(0, LONGEST)
  const health = healthOf(checked)
  return {
    image: text(service.image) || null,
    build: buildOf(service.build, text),
    isComplete: ['image', 'build', 'extends'].some((key) => service[key] !== undefined && service[key] !== null),
    ...outlinePorts(service, { text, environment, labels: labelsOf(service, text) }),
    mentioned: [...new Set([...portsInText(started, environment), ...(health ? [health.port] : [])])],
    command: started,
    health,
    profiles: listOf(service.profiles).map(text).filter(Boolean),
    dependsOn: dependenciesOf(service.depends_on, text),
    isReachable: !isAlone(service, text) && !hasOtherPortsOnly(service, text),
    readsSocket: listOf(service.volumes).some((mount) =>
      /docker\.sock(?::|$)/.test(text(isObject(mount) ? mount.source : mount)),
    ),
  }
}

function labelsOf({ labels, deploy }: Json, text: Text): readonly (readonly [string, string])[] {
  return [...pairsOf(labels, text), ...pairsOf(isObject(deploy) ? deploy.labels : undefined, text)]
}

/** `replicas: 0` and `scale: 0` never start; others share the network of a container or of the machine. */
function isAlone({ deploy, scale, network_mode: network }: Json, text: Text): boolean {
  const replicas = text(isObject(deploy) ? (deploy.replicas ?? scale) : scale)
  return replicas === '0' || /^(none|host|(service|container):.*)$/.test(text(network))
}

/** Such as a tunnel or a game: what it publishes is UDP alone. */
const hasOtherPortsOnly = ({ ports }: Json, text: Text): boolean => {
  const entries = listOf(ports)
  const isUdp = (entry: unknown): boolean => /udp$/.test(text(isObject(entry) ? entry.protocol : entry))
  return entries.length > 0 && entries.every(isUdp)
}

/** `KEY=value` or `KEY: value`. */
function pairsOf(value: unknown, text: Text): readonly (readonly [string, string])[] {
  if (isObject(value))
    return Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([key, one]) => [text(key), text(one)])
  return listOf(value).map((entry) => {
    const [key = '', ...rest] = text(entry).split('=')
    return [key, rest.join('=')]
  })
}

function dependenciesOf(value: unknown, text: Text): readonly Dependency[] {
  if (!isObject(value)) return listOf(value).map((one) => ({ name: text(one), isRequired: true, untilItEnds: false }))
  return Object.entries(value)
    .slice(0, MOST_ENTRIES)
    .map(([name, how]) => ({
      name,
      isRequired: !isObject(how) || how.required !== false,
      untilItEnds: isObject(how) && how.condition === 'service_completed_successfully',
    }))
}

/** Of a build with a context in the checkout and no Dockerfile elsewhere. */
function buildOf(build: unknown, text: Text): ServiceOutline['build'] {
  if (build === undefined || build === null) return null
  const given = isObject(build) ? build : { context: build }
  const { context, dockerfile } = { context: text(given.context) || '.', dockerfile: text(given.dockerfile) }
  const path = posix.join(context, dockerfile || 'Dockerfile')
  return /^[\w@+./-]{1,200}$/.test(path) && !path.startsWith('/')
    ? { dockerfile: path, target: text(given.target) || null }
    : null
}

/** `curl -f http://localhost:3000/healthz` and the like: of a request to itself, the path and the port. */
function healthOf(words: string): ServiceOutline['health'] {
  const [, port = '80', path] =
    /\bhttp:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::([0-9]{1,5}))?(\/[\w./-]{0,100})/.exec(words) ?? []
  return path === undefined ? null : { path, port: Number(port) }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : [])

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
