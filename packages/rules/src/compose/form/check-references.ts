// What services name and the compose files do not have, which Compose refuses: networks, volumes, secrets, configs and other services.
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import { listOf } from '../source/normal-service.ts'
import type { FormFault } from './check-kinds.ts'

/** `document` is as it was resolved, without services that are left out; `leftOut` are their names. */
export function checkReferences(document: JsonObject, leftOut: readonly string[]): readonly FormFault[] {
  const services = Object.entries(objectOf(document.services)).map(
    ([name, service]) => [name, objectOf(service)] as const,
  )
  const known = new Set([...services.map(([name]) => name), ...leftOut])
  const faults = services.flatMap(([name, service]) => {
    const key = within('services', name)
    return [
      ...ofSections(key, service, document),
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

function ofSections(key: string, service: JsonObject, document: JsonObject): FormFault[] {
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
        ...{ section, at: `${section}[${index}]` },
        name: String(objectOf(entry).source),
      })),
    ),
  ]
  return used
    .filter(({ section, name }) => !Object.hasOwn(objectOf(document[section]), name))
    .map(({ section, at, name }) => missing(`${key}.${at}`, `the ${section.slice(0, -1)} ${name}`, section))
}

type Other = { readonly at: string; readonly other: string }

/** What a service needs beside those of `depends_on`, of which the policy speaks. */
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

/** Told once for each service that waits for itself. */
function cyclesOf(services: readonly (readonly [string, JsonObject])[]): FormFault[] {
  const needs = new Map(
    services.map(([name, service]) => [
      name,
      [...Object.keys(objectOf(service.depends_on)), ...otherServices(service).map(({ other }) => other)],
    ]),
  )
  return services.flatMap(([name]) => {
    const reached = new Set<string>()
    const open = [...(needs.get(name) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...(needs.get(next) ?? []))
    }
    if (!reached.has(name)) return []
    const key = `${within('services', name)}.depends_on`
    return [{ key, sentence: `${key} leads back to ${name}: no service of the circle could be started first` }]
  })
}
