// Merges the compose files of a commit without Compose, well enough to check them before a push. On the platform, Compose has the last
// word.
import { posix } from 'node:path'
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { UnreadableCompose } from '../read-compose-model.ts'
import { countValues, MOST_VALUES, TOO_MANY_VALUES } from './count-values.ts'
import { interpolateDocument } from './interpolate-document.ts'
import type { KnownVariables } from './known-variables.ts'
import { mergeDefinitions } from './merge-definitions.ts'
import { listOf, normalService, pathOf } from './normal-service.ts'
import type { ReadSource } from './read-source.ts'

export type ResolveOptions = {
  readonly sources: readonly ReadSource[]
  /** The named files, in the order in which Compose merges them. */
  readonly files: readonly string[]
  readonly known: KnownVariables
  /** The absolute path that represents the checkout. */
  readonly checkout: string
  readonly projectName: string
}

export type Resolved = {
  /** As `docker compose config` prints it, with all profiles. */
  readonly document: JsonObject
  readonly profiles: ReadonlyMap<string, readonly string[]>
}

export function resolveSources({ sources, files, known, checkout, projectName }: ResolveOptions): Resolved {
  const read = new Map(sources.map((source) => [keyOf(source), { ...source, document: documentOf(source, known) }]))
  const sections = new Map<string, JsonObject>(SECTIONS.map((name) => [name, {}]))
  const folder = posix.dirname(files[0] ?? '.')
  let spent = 0
  const spend = (values: number): void => {
    spent += values
    // The long forms have more values than the short ones.
    if (spent > 5 * MOST_VALUES) throw new UnreadableCompose(TOO_MANY_VALUES)
  }
  const seen = new Set<string>()
  const take = (source: ReadSource | undefined): void => {
    if (!source || seen.has(keyOf(source))) return
    seen.add(keyOf(source))
    for (const drawn of source.included) take(read.get(keyOf(drawn)))
    for (const name of SECTIONS) {
      const own = entriesOf(source, name, { read, checkout, spend })
      sections.set(name, mergeDefinitions(sections.get(name) ?? {}, own))
    }
  }
  for (const file of files) take(read.get(keyOf({ file, folder })))
  const services = objectOf(sections.get('services'))
  const names = Object.keys(services)
  return {
    document: {
      ...othersOf(sources, files),
      name: projectName,
      services: Object.fromEntries(names.map((name) => [name, withNetwork(objectOf(services[name]))])),
      networks: named(withDefault(objectOf(sections.get('networks')), services), projectName),
      volumes: named(objectOf(sections.get('volumes')), projectName),
      secrets: sections.get('secrets'),
      configs: sections.get('configs'),
    },
    profiles: new Map(names.map((name) => [name, listOf(objectOf(services[name]).profiles).map(String)])),
  }
}

/** With its variables, which can make it far larger than its file. */
function documentOf(source: ReadSource, known: KnownVariables): JsonObject {
  const document = interpolateDocument(source.document, known)
  if (countValues(document, MOST_VALUES) > MOST_VALUES) throw new UnreadableCompose(TOO_MANY_VALUES)
  return document
}

const SECTIONS = ['services', 'networks', 'volumes', 'secrets', 'configs'] as const

type SourceLocation = { readonly file: string; readonly folder: string }
const keyOf = ({ file, folder }: SourceLocation): string => `${folder}\n${file}`

type ResolveContext = {
  readonly read: ReadonlyMap<string, ReadSource>
  readonly checkout: string
  /** Counts the values of services, including inherited ones. Throws above the limit. */
  readonly spend: (values: number) => void
}

function entriesOf(source: ReadSource, section: string, reading: ResolveContext): JsonObject {
  const folder = posix.join(reading.checkout, source.folder)
  const entries = Object.entries(objectOf(source.document[section])).map(([name, definition]) => {
    if (section === 'services') return [name, serviceOf(source, name, { ...reading, depth: 0 })]
    const { file, ...others } = objectOf(definition)
    return [name, file === undefined ? others : { ...others, file: pathOf(file, folder) }]
  })
  return Object.fromEntries(entries)
}

const MOST_EXTENDED = 20

function serviceOf(source: ReadSource, name: string, reading: ResolveContext & { readonly depth: number }): JsonObject {
  const service = objectOf(entryOf(source.document.services, name))
  const own = normalService(service, posix.join(reading.checkout, source.folder))
  reading.spend(countValues(own, MOST_VALUES))
  const { extends: base } = service
  if (base === undefined || base === null || reading.depth > MOST_EXTENDED) return own
  const { file, service: baseName = typeof base === 'string' ? base : name } = objectOf(base)
  const path = typeof file === 'string' ? posix.normalize(posix.join(source.folder, file)) : source.file
  const from = typeof file === 'string' ? reading.read.get(keyOf({ file: path, folder: posix.dirname(path) })) : source
  if (!from) return own
  const { depends_on: _dependsOn, ...inherited } = serviceOf(from, String(baseName), {
    ...reading,
    depth: reading.depth + 1,
  })
  reading.spend(countValues(inherited, MOST_VALUES))
  return mergeDefinitions(inherited, own)
}

/** Without copying the map, which would take quadratic time. */
function entryOf(map: unknown, name: string): unknown {
  return typeof map === 'object' && map !== null && Object.hasOwn(map, name) ? Reflect.get(map, name) : undefined
}

/** Other top-level keys, for the policy to check. */
function othersOf(sources: readonly ReadSource[], files: readonly string[]): JsonObject {
  const known: readonly string[] = [...SECTIONS, 'name', 'include']
  const others = sources
    .filter(({ file }) => files.includes(file))
    .flatMap(({ document }) => Object.entries(document).filter(([key]) => !known.includes(key)))
  return Object.fromEntries(others)
}

function withNetwork(service: JsonObject): JsonObject {
  const hasNone = service.network_mode !== undefined || Object.keys(objectOf(service.networks)).length > 0
  return hasNone ? service : { ...service, networks: { default: null } }
}

const withDefault = (networks: JsonObject, services: JsonObject): JsonObject =>
  Object.values(services).some((service) => Object.hasOwn(objectOf(withNetwork(objectOf(service)).networks), 'default'))
    ? { default: {}, ...networks }
    : networks

/** `external: { name: x }` is the older form. */
function named(definitions: JsonObject, projectName: string): JsonObject {
  const entries = Object.entries(definitions).map(([name, definition]) => {
    const { external, ...others } = objectOf(definition)
    const isExternal = external === true || typeof external === 'object'
    const own = isExternal ? (objectOf(external).name ?? name) : `${projectName}_${name}`
    return [name, { name: own, ...others, ...(isExternal ? { external: true } : {}) }]
  })
  return Object.fromEntries(entries)
}
