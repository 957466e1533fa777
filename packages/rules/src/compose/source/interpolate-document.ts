// Substitutes variables in all values of a compose file. Unknown values are left out, so that nothing is reported about them: they are
// checked on the platform.
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { interpolate, type Value } from './interpolation.ts'
import { type KnownVariables, knownValue, valueInBuild } from './known-variables.ts'

export function interpolateDocument(document: JsonObject, known: KnownVariables): JsonObject {
  const lookUp = (name: string): Value => knownValue(known, name)
  const inBuild = (name: string): Value => valueInBuild(known, name)
  const services = Object.entries(objectOf(document.services)).map(([name, definition]) => {
    const { build, ...others } = objectOf(definition)
    const service = objectOf(valueIn(others, lookUp))
    return [
      name,
      {
        ...service,
        ...(build === undefined ? {} : { build: valueIn(build, inBuild) ?? {} }),
        // A service must have an image, even an unknown one.
        ...(others.image !== undefined && service.image === undefined ? { image: UNKNOWN_IMAGE } : {}),
      },
    ] as const
  })
  const { services: _services, ...sections } = document
  return { ...objectOf(valueIn(sections, lookUp)), services: Object.fromEntries(services) }
}

const UNKNOWN_IMAGE = 'image:unknown'

/** Undefined if not known. */
function valueIn(value: unknown, lookUp: (name: string) => Value, depth = 0): unknown {
  // An alias can contain itself.
  if (depth > DEEPEST) return undefined
  if (typeof value === 'string') {
    const { text, isKnown } = interpolate(value, lookUp)
    return isKnown ? text : undefined
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((one) => valueIn(one, lookUp, depth + 1)).filter((one) => one !== undefined)
  const entries = Object.entries(value).map(([name, one]) => [name, valueIn(one, lookUp, depth + 1)] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

const DEEPEST = 32
