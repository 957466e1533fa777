// Finds values of the wrong type, such as a text instead of a list. Checks each file as it is written.
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import { FORMS_OF_SERVICE, type Kind, kindOf, MAPS_OF_VALUES, nameOf } from './value-kinds.ts'

export type FormFault = { readonly key: string; readonly sentence: string }

export function checkKinds(document: JsonObject): readonly FormFault[] {
  return [
    ...expect('version', document.version, ['text']),
    ...SECTIONS.flatMap((section) => [
      ...expect(section, document[section], ['map']),
      ...Object.entries(objectOf(document[section])).flatMap(([name, entry]) =>
        expect(within(section, name), entry, MAY_BE_EMPTY.has(section) ? ['map', 'nothing'] : ['map']),
      ),
    ]),
    ...Object.entries(objectOf(document.services)).flatMap(([name, service]) => ofService(name, objectOf(service))),
  ]
}

const SECTIONS = ['services', 'networks', 'volumes', 'secrets', 'configs']

/** Services too, since the policy reports empty ones. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['services', 'networks', 'volumes'])

function ofService(name: string, service: JsonObject): FormFault[] {
  const key = within('services', name)
  const named = NAME.test(name)
    ? []
    : [{ key, sentence: `${key} has a name with other characters than letters, digits, . _ and -` }]
  return [
    ...named,
    ...Object.entries(service).flatMap(([own, value]) => ofKey(within(key, own), own, value)),
    ...ofDependencies(`${key}.depends_on`, service.depends_on),
    ...ofHealthcheck(`${key}.healthcheck`, objectOf(service.healthcheck)),
  ]
}

const NAME = /^[a-zA-Z0-9._-]+$/

function ofKey(key: string, name: string, value: unknown): FormFault[] {
  const form = FORMS_OF_SERVICE.get(name)
  if (!form) return []
  const own = expect(key, value, form.kinds)
  if (own.length > 0) return own
  if (Array.isArray(value) && form.entries) {
    const { entries } = form
    return value.flatMap((entry, index) => expect(within(key, index), entry, entries))
  }
  if (!MAPS_OF_VALUES.has(name)) return []
  return Object.entries(objectOf(value)).flatMap(([entry, inner]) =>
    expect(within(key, entry), inner, ['text', 'number', 'boolean', 'nothing']),
  )
}

/** A key without a value is null; an absent key is undefined. */
function expect(key: string, value: unknown, kinds: readonly Kind[]): FormFault[] {
  const kind = kindOf(value)
  if (value === undefined || kinds.some((one) => one === kind)) return []
  const wanted = kinds.filter((one) => one !== 'nothing').map(nameOf)
  const advice =
    kind === 'nothing' ? '. Remove it' : kind === 'number' && kinds.includes('text') ? '. Put it in quotes' : ''
  return [{ key, sentence: `${key} is ${nameOf(kind)}, and Compose takes only ${wanted.join(' or ')} there${advice}` }]
}

function ofDependencies(key: string, value: unknown): FormFault[] {
  return Object.entries(Array.isArray(value) ? {} : objectOf(value)).flatMap(([name, on]) => {
    const dependency = within(key, name)
    const { condition } = objectOf(on)
    if (CONDITIONS.includes(String(condition))) return []
    return [{ key: dependency, sentence: `${dependency} needs a condition: one of ${CONDITIONS.join(', ')}` }]
  })
}

const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully']

function ofHealthcheck(key: string, healthcheck: JsonObject): FormFault[] {
  const { test } = healthcheck
  const unknown = Object.keys(healthcheck).filter((name) => !HEALTH_KEYS.includes(name) && !name.startsWith('x-'))
  const [first] = Array.isArray(test) ? test : []
  const isCommand = first === undefined || ['CMD', 'CMD-SHELL', 'NONE'].includes(String(first))
  return [
    ...unknown.map((name) => ({
      key: within(key, name),
      sentence: `${within(key, name)} is no key of a health check. It has ${HEALTH_KEYS.join(', ')}`,
    })),
    ...expect(`${key}.test`, test, ['text', 'list']),
    ...DURATIONS.flatMap((name) => expect(`${key}.${name}`, healthcheck[name], ['text'])),
    ...(isCommand
      ? []
      : [{ key: `${key}.test`, sentence: `${key}.test as a list must begin with CMD, CMD-SHELL or NONE` }]),
  ]
}

const DURATIONS = ['interval', 'timeout', 'start_period', 'start_interval']
const HEALTH_KEYS = ['test', ...DURATIONS, 'retries', 'disable']
