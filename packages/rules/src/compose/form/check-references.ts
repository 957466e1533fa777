// Finds references to missing networks, volumes, secrets, configs and services, which Compose refuses.
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import { listOf } from '../source/normal-service.ts'
import type { FormFault } from './check-kinds.ts'

/** `document` is the resolved one without disabled services; `leftOut` are their names. */
export function checkReferences(document: JsonObject, leftOut: readonly string[]): readonly FormFault[] {
  const services = Object.entries(objectOf(document.services)).map(
    ([name, service]) => [name, objectOf(service)] as const,
  )
  const known = new Set([...services.map(([name]) => name), ...leftOut])
  const declared = new Map(SECTIONS.map((section) => [section, new Set(Object.keys(objectOf(document[section])))]))
  const faults = services.flatMap(([name, service]) => {
    const key = within('services', name)
    return [
      ...ofSections(key, service, declared),
      ...otherServices(service)
        .filter(({ other }) => !known.has(other))
        .map(({ at, other }) => missing(`${key}.${at}`, `the service ${other}`, 'services')),
    ]
  })
  return [...faults, ...cyclesOf(services)]
}

const missing = (key: string, what: string, section: string): FormFault => ({
  key,
  sentence: `${key} names ${what}, which is not in the file. Declare it under ${section}, or name another one`,
})

const SECTIONS = ['networks', 'volumes', 'secrets', 'configs']

function ofSections(key: string, service: JsonObject, declared: ReadonlyMap<string, ReadonlySet<string>>): FormFault[] {
  const used = [
    ...Object.keys(objectOf(service.networks)).map((name) => ({ section: 'networks', at: 'networks', name })),
    ...listOf(service.volumes).flatMap((mount, index) => {
      const { type, source } = objectOf(mount)
      // Compose takes a single letter for a drive of Windows.
      const isNamed = type === 'volume' && typeof source === 'string' && source.length > 1
      return isNamed ? [{ section: 'volumes', at: `volumes[${index}]`, name: source }] : []
    }),
    ...['secrets', 'configs'].flatMap((section) =>
      listOf(service[section]).map((entry, index) => ({
        section,
        at: `${section}[${index}]`,
        name: String(objectOf(entry).source),
      })),
    ),
  ]
  return used
    .filter(({ section, name }) => declared.get(section)?.has(name) !== true)
    .map(({ section, at, name }) => missing(`${key}.${at}`, `the ${section.slice(0, -1)} ${name}`, section))
}

type Other = { readonly at: string; readonly other: string }

/** References to other services, except `depends_on`, which the policy checks. */
function otherServices(service: JsonObject): Other[] {
  const first = (text: unknown): string => String(text).split(':')[0] ?? ''
  return [
    ...listOf(service.links).map((link, index) => ({ at: `links[${index}]`, other: first(link) })),
    ...listOf(service.volumes_from).flatMap((from, index) =>
      String(from).startsWith('container:') ? [] : [{ at: `volumes_from[${index}]`, other: first(from) }],
    ),
    ...['network_mode', 'ipc', 'pid'].flatMap((at) => {
      const [, other] = /^service:(.+)$/.exec(String(service[at])) ?? []
      return other === undefined ? [] : [{ at, other }]
    }),
  ]
}

/** Topological sort: the services that remain form a cycle, which is reported at the first of them. */
function cyclesOf(services: readonly (readonly [string, JsonObject])[]): FormFault[] {
  const needs = new Map(
    services.map(([name, service]) => [
      name,
      new Set([...Object.keys(objectOf(service.depends_on)), ...otherServices(service).map(({ other }) => other)]),
    ]),
  )
  const users = new Map<string, string[]>()
  const count = new Map<string, number>()
  for (const [name, others] of needs) {
    const present = [...others].filter((other) => needs.has(other))
    count.set(name, present.length)
    for (const other of present) {
      const known = users.get(other)
      if (known) known.push(name)
      else users.set(other, [name])
    }
  }
  const ready = [...count].filter(([, left]) => left === 0).map(([name]) => name)
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    for (const user of users.get(next) ?? []) {
      const left = (count.get(user) ?? 0) - 1
      count.set(user, left)
      if (left === 0) ready.push(user)
    }
  }
  const [first, ...others] = [...count].filter(([, left]) => left > 0).map(([name]) => name)
  if (first === undefined) return []
  const key = `${within('services', first)}.depends_on`
  const names = others.length === 0 ? first : [first, ...others.slice(0, 4)].join(', ')
  return [
    { key, sentence: `${key} leads in a circle: none of ${names} could be started first. Take one dependency out` },
  ]
}
