// Finds invalid ports, mounts, times and sizes, which Compose would refuse. A value that depends on a variable of the environment is
// checked at deployment.
import { canonicalIp } from '@shipway/api/values/ip-address'
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import { interpolate, type Value } from '../source/interpolation.ts'
import type { FormFault } from './check-kinds.ts'

export function checkValues(document: JsonObject, lookUp: (name: string) => Value): readonly FormFault[] {
  const textOf = (value: unknown): string | undefined => {
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'string') return undefined
    const { text, isKnown } = interpolate(value, lookUp)
    return isKnown ? text : undefined
  }
  return Object.entries(objectOf(document.services)).flatMap(([name, definition]) => {
    const service = objectOf(definition)
    const key = within('services', name)
    const entries = (list: string, isRight: (text: string) => boolean, advice: string): FormFault[] =>
      (Array.isArray(service[list]) ? service[list] : []).flatMap((entry: unknown, index: number) => {
        const text = textOf(entry)
        if (text === undefined || isRight(text)) return []
        const entryKey = within(`${key}.${list}`, index)
        return [{ key: entryKey, sentence: `${entryKey} cannot be read by Compose. ${advice}` }]
      })
    return [
      ...entries('ports', isPort, 'Write it as "8080:80", the port of the host first'),
      ...entries('volumes', isMount, 'Write it as "./folder:/path/in/the/container"'),
      ...measures(service, key, textOf),
    ]
  })
}

/** `[[address:]published:]target[/protocol]`. */
function isPort(text: string): boolean {
  const [, address, published = '', target = '', protocol = 'tcp'] =
    /^(?:(?:(\[[^\]]*\]|[^:]*):)?([0-9-]*):)?([0-9-]+)(?:\/([a-zA-Z]+))?$/.exec(text) ?? []
  const inside = rangeOf(target)
  const outside = published === '' ? null : rangeOf(published)
  if (inside === undefined || outside === undefined || !/^(tcp|udp|sctp)$/i.test(protocol)) return false
  const isAddress =
    address === undefined || address === '' || canonicalIp(address.replaceAll(/[[\]]/g, '')) !== undefined
  return isAddress && (outside === null || inside === 1 || inside === outside)
}

/** How many there are. */
function rangeOf(text: string): number | undefined {
  const [, first = '', last = first] = /^([0-9]{1,5})(?:-([0-9]{1,5}))?$/.exec(text) ?? []
  const count = Number(last) - Number(first) + 1
  return first !== '' && count >= 1 && Number(last) <= 65_535 ? count : undefined
}

/** A letter before a colon may be a drive of Windows. */
function isMount(text: string): boolean {
  const parts = text.replace(/^[A-Za-z]:(?=[\\/])/, '').split(':')
  return parts.length <= 3 && parts.every((part) => part !== '')
}

function measures(service: JsonObject, key: string, textOf: (value: unknown) => string | undefined): FormFault[] {
  const { limits, reservations } = objectOf(objectOf(service.deploy).resources)
  const health = objectOf(service.healthcheck)
  const times = [
    ['stop_grace_period', service.stop_grace_period],
    ...['interval', 'timeout', 'start_period', 'start_interval'].map((name) => [`healthcheck.${name}`, health[name]]),
  ] as const
  const sizes = [
    ...['mem_limit', 'mem_reservation', 'shm_size'].map((name) => [name, service[name]]),
    ['deploy.resources.limits.memory', objectOf(limits).memory],
    ['deploy.resources.reservations.memory', objectOf(reservations).memory],
  ] as const
  const faulty = (values: readonly (readonly unknown[])[], form: RegExp, advice: string): FormFault[] =>
    values.flatMap(([name, value]) => {
      const text = textOf(value)
      const place = `${key}.${String(name)}`
      return text === undefined || form.test(text) ? [] : [{ key: place, sentence: `${place} is ${advice}` }]
    })
  return [
    ...faulty(times, TIME, 'no time. Write it as 30s, 5m or 1h30m'),
    ...faulty(sizes, SIZE, 'no size. Write it as 512m or 2g'),
  ]
}

const TIME = /^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|\u00b5s|ms|s|m|h|d|w))+$|^0$/
const SIZE = /^-?[0-9]+(?:\.[0-9]+)?\s*(?:[kmgtp]?i?b?|bytes?)$/i
