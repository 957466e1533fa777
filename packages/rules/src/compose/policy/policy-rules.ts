// Building blocks of the policy for compose files. A key without a rule is refused.
import { posix } from 'node:path'
import type { JsonObject, Refusal } from '../model.ts'
import { type Checkout, capabilityOfPath, isInCheckout } from '../mounts/checkout-path.ts'
import type { Capability } from './capabilities.ts'
import { type Reason, refusal, within } from './refusal.ts'

export type PolicyContext = {
  readonly checkout: Checkout
  /** The platform's folder on the server, with variables and models of all environments. */
  readonly platformFolder: string
  readonly variablesFile: string
  readonly projectName: string
}

/** Returns the refusals for a value; `key` is its name in the model. */
export type Rule = (value: unknown, key: string, ctx: PolicyContext) => Refusal[]
export type Rules = Readonly<Record<string, Rule>>

export const allow: Rule = () => []

export function refuse(reason: Reason): Rule {
  return (value, key) => (isSet(value) ? [refusal(key, reason)] : [])
}

export function needs(capability: Capability, what: string, advice?: string): Rule {
  return refuse({ what, capability, ...(advice === undefined ? {} : { advice }) })
}

/** Passes the values that the test knows to be harmless; absent ones always are. */
export function allowIf(isHarmless: (value: unknown, ctx: PolicyContext) => boolean, otherwise: Rule): Rule {
  return (value, key, ctx) => (!isSet(value) || isHarmless(value, ctx) ? [] : otherwise(value, key, ctx))
}

export const oneOf = (values: readonly unknown[], otherwise: Rule): Rule =>
  allowIf((value) => values.includes(value), otherwise)

export function all(...rules: readonly Rule[]): Rule {
  return (value, key, ctx) => rules.flatMap((rule) => rule(value, key, ctx))
}

/** Each key by its own rule; one that is not listed is refused, unless it is an extension (`x-…`), which does nothing. */
export function keysOf(rules: Rules, otherwise: Rule = unknownKey): Rule {
  return mapping((value, key, ctx) =>
    Object.entries(objectOf(value)).flatMap(([name, inner]) => {
      if (name.startsWith('x-')) return []
      const rule = Object.hasOwn(rules, name) ? rules[name] : otherwise
      return (rule ?? otherwise)(inner, within(key, name), ctx)
    }),
  )
}

/** A list or a mapping whose entries are all of one kind. */
export function each(rule: Rule): Rule {
  return mapping((value, key, ctx) => {
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(objectOf(value))
    return entries.flatMap(([name, inner]) => rule(inner, within(key, name), ctx))
  }, Array.isArray)
}

/** A file or folder that Compose reads or mounts. */
export function inCheckout(what: string): Rule {
  return (value, key, ctx) => {
    if (!isSet(value) || (typeof value === 'string' && isInCheckout(value, ctx.checkout))) return []
    const capability = typeof value === 'string' ? capabilityOfPath(value, ctx.platformFolder) : null
    if (isDockerSocket(value)) return [refusal(key, { what: DOCKER_SOCKET, capability })]
    const advice = 'Use a path inside the repository that passes no symbolic link'
    return [refusal(key, { what, advice, capability })]
  }
}

const isDockerSocket = (path: unknown): boolean =>
  typeof path === 'string' &&
  /^(?:\/var)?\/run\/(?:user\/\d+\/)?(?:docker|podman\/podman)\.sock$/.test(posix.normalize(path))

const DOCKER_SOCKET = 'is the Docker socket: a container that has it controls the whole server'

/** The machine's time zone files. Reading them reveals nothing else. */
export const isClockFile = (path: unknown): boolean =>
  typeof path === 'string' && ['/etc/localtime', '/etc/timezone'].includes(posix.normalize(path))

export const isLoopback = (address: unknown): boolean => address === '127.0.0.1' || address === '::1'

const unknownKey: Rule = (_value, key) => [
  refusal(key, { what: 'is not known to the platform, which allows only what it knows' }),
]

/** Refuses values of another type than the rule can check. */
function mapping(rule: Rule, isAlso: (value: unknown) => boolean = () => false): Rule {
  return (value, key, ctx) => {
    const isChecked = !isSet(value) || isAlso(value) || (typeof value === 'object' && !Array.isArray(value))
    return isChecked
      ? rule(value, key, ctx)
      : [refusal(key, { what: 'is not of the form that the platform can check' })]
  }
}

export const reservedLabels: Rule = mapping((value, key) =>
  Object.keys(objectOf(value))
    .filter((name) => /^(shipway\.|com\.docker\.compose\.)/i.test(name))
    .map((name) =>
      refusal(within(key, name), { what: 'is a label that the platform and Compose keep for themselves' }),
    ),
)

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}

/** Compose prints absent values in several ways. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(value).length > 0
}
