// Normalizes a service as Compose does: long forms instead of short ones, and absolute paths. Unknown forms stay as they are, for the policy
// to check.
import { posix } from 'node:path'
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { UnreadableCompose } from '../read-compose-model.ts'

/** `folder`: the absolute folder of the service's file. */
export function normalService(service: JsonObject, folder: string): JsonObject {
  const changed = Object.entries(service)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, Object.hasOwn(FORMS, key) ? FORMS[key]?.(value, folder) : value])
  return Object.fromEntries(changed.filter(([key]) => key !== 'extends'))
}

type Form = (value: unknown, folder: string) => unknown

/** Substituted variables are text, so "false" counts as false. */
const flagOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value === 0 ? false : value
  if (/^(false|no|off|n|f|0)$/i.test(value)) return false
  return /^(true|yes|on|y|t|1)$/i.test(value) ? true : value
}

/** The value with one of its keys read as a flag: Compose reads texts there, which variables are. */
const withFlag = (value: JsonObject, key: string): JsonObject =>
  Object.hasOwn(value, key) ? { ...value, [key]: flagOf(value[key]) } : value

const FORMS: Readonly<Record<string, Form>> = {
  build: (value, folder) => {
    const { context = '.', ...build } = typeof value === 'string' ? { context: value } : objectOf(value)
    const contexts = mapOf(build.additional_contexts, '=')
    return {
      ...build,
      context: contextOf(context, folder),
      dockerfile: build.dockerfile ?? (build.dockerfile_inline === undefined ? 'Dockerfile' : undefined),
      ...(build.args === undefined ? {} : { args: mapOf(build.args, '=') }),
      ...(build.labels === undefined ? {} : { labels: mapOf(build.labels, '=') }),
      ...(build.additional_contexts === undefined
        ? {}
        : { additional_contexts: mapValues(contexts, (one) => contextOf(one, folder)) }),
      ...(build.secrets === undefined ? {} : { secrets: listOf(build.secrets).map(sourceOf) }),
    }
  },
  ports: (value) => allPorts(listOf(value)),
  expose: (value) => listOf(value).map(String),
  volumes: (value, folder) => listOf(value).map((mount) => mountOf(mount, folder)),
  environment: (value) => mapOf(value, '='),
  labels: (value) => mapOf(value, '='),
  annotations: (value) => mapOf(value, '='),
  sysctls: (value) => mapOf(value, '='),
  networks: (value) => (Array.isArray(value) ? Object.fromEntries(value.map((name) => [String(name), null])) : value),
  depends_on: (value) => {
    const entries = Array.isArray(value)
      ? value.map((name) => [String(name), {}] as const)
      : Object.entries(objectOf(value))
    return Object.fromEntries(
      entries.map(([name, on]) => [name, { condition: 'service_started', required: true, ...objectOf(on) }]),
    )
  },
  env_file: (value, folder) =>
    listOf(value).map((entry) => {
      const { path = entry, required = true } = objectOf(entry)
      return { path: pathOf(path, folder), required }
    }),
  label_file: (value, folder) => listOf(value).map((path) => pathOf(path, folder)),
  secrets: (value) => listOf(value).map(sourceOf),
  configs: (value) => listOf(value).map(sourceOf),
  healthcheck: (value) => withFlag(objectOf(value), 'disable'),
  tmpfs: listOf,
  dns: listOf,
  ...Object.fromEntries(
    ['privileged', 'init', 'read_only', 'tty', 'stdin_open', 'oom_kill_disable'].map((key) => [key, flagOf]),
  ),
}

const SERVICE_OR_REMOTE = /^(?:[a-z][a-z0-9+.-]*:|git@|github\.com\/)/i

const contextOf = (value: unknown, folder: string): unknown =>
  typeof value === 'string' && !SERVICE_OR_REMOTE.test(value) ? pathOf(value, folder) : value

/** In Compose, `~` is the home folder of its user. */
export function pathOf(value: unknown, folder: string): unknown {
  if (typeof value !== 'string') return value
  return value.startsWith('~') ? posix.join('/home/user', value.slice(1)) : posix.resolve(folder, value)
}

/** Short ranges can expand to many ports. */
const MOST_PORTS = 1_000

function allPorts(values: readonly unknown[]): readonly unknown[] {
  const ports: unknown[] = []
  for (const value of values) {
    ports.push(...portsOf(value))
    if (ports.length > MOST_PORTS) {
      throw new UnreadableCompose(`A service names more than ${MOST_PORTS} ports. Name those that it needs`)
    }
  }
  return ports
}

/** `[[address:]published:]target[/protocol]`; ports may be ranges. */
function portsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'object') return [{ mode: 'ingress', protocol: 'tcp', ...objectOf(value) }]
  const [, address, published, target = '', protocol = 'tcp'] =
    /^(?:(?:(\[[^\]]*\]|[^:]*):)?([0-9-]*):)?([0-9-]+)(?:\/([a-z]+))?$/.exec(String(value)) ?? []
  const targets = rangeOf(target)
  const hosts = rangeOf(published ?? '')
  return targets.map((one, index) => ({
    mode: 'ingress',
    ...(address === undefined || address === '' ? {} : { host_ip: address.replaceAll(/[[\]]/g, '') }),
    target: one,
    ...(published === undefined || published === ''
      ? {}
      : { published: hosts.length === targets.length ? String(hosts[index]) : published }),
    protocol,
  }))
}

const MOST_OF_RANGE = 200

function rangeOf(text: string): readonly number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number)
  if (text === '' || !(first <= last)) return []
  return Array.from({ length: Math.min(last - first + 1, MOST_OF_RANGE) }, (_, at) => first + at)
}

/** `[source:]target[:modes]`. A source that does not look like a path is the name of a volume. */
function mountOf(value: unknown, folder: string): unknown {
  if (typeof value !== 'string') {
    const mount = withFlag(objectOf(value), 'read_only')
    return mount.type === 'bind' ? { ...mount, source: pathOf(mount.source, folder) } : mount
  }
  const [first = '', second, modes = ''] = value.split(':')
  if (second === undefined) return { type: 'volume', target: first, volume: {} }
  const readOnly = modes.split(',').includes('ro') ? { read_only: true } : {}
  if (!/^[./~]/.test(first)) return { type: 'volume', source: first, target: second, ...readOnly, volume: {} }
  const bind = { create_host_path: true, ...(/\b(r?shared|r?slave)\b/.test(modes) ? { propagation: modes } : {}) }
  return { type: 'bind', source: pathOf(first, folder), target: second, ...readOnly, bind }
}

const sourceOf = (value: unknown): unknown =>
  typeof value === 'string' ? { source: value, target: `/run/secrets/${value}` } : value

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** `NAME=value` entries; null without a value. */
function mapOf(value: unknown, separator: string): JsonObject {
  if (!Array.isArray(value)) return objectOf(value)
  return Object.fromEntries(
    value.map((entry) => {
      const [name = '', ...rest] = String(entry).split(separator)
      return [name, rest.length === 0 ? null : rest.join(separator)]
    }),
  )
}

const mapValues = (map: JsonObject, change: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
