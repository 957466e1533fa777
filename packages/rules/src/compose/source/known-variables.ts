// What is known about variables: the names of the environment's, and the default values of the repository.
import { reservedFor } from '@shipway/api/values/variable'
import { SYSTEM_KEYS } from '@shipway/api/variables'
import type { Value } from './interpolation.ts'

export type KnownVariables = {
  /** The custom variables of the environment; null if not known. */
  readonly custom: ReadonlyMap<string, { readonly isForBuilds: boolean }> | null
  /** Of the repository's `.env`. */
  readonly defaults: ReadonlyMap<string, string>
  /** The project's directory, which files call `PWD`. */
  readonly directory: string
}

/** The environment's variables win. Variables that Compose sets are known to exist. */
export function knownValue({ custom, defaults, directory }: KnownVariables, name: string): Value {
  if (name === 'PWD') return { text: directory }
  if (SYSTEM.has(name) || OF_COMPOSE.has(name) || custom?.has(name)) return 'unknown'
  if (isReserved(name)) return 'unset'
  const text = defaults.get(name)
  if (text !== undefined) return { text }
  return custom === null ? 'perhaps' : 'unset'
}

/** In a build, secret variables count as unset. */
export function valueInBuild(known: KnownVariables, name: string): Value {
  return isSecret(known, name) ? 'unset' : knownValue(known, name)
}

/** A variable of the environment that was not marked for builds. */
export const isSecret = ({ custom }: KnownVariables, name: string): boolean =>
  custom?.get(name)?.isForBuilds === false && !SYSTEM.has(name)

/** Reserved names cannot be set, neither in an environment nor in `.env`. */
export const isReserved = (name: string): boolean =>
  reservedFor(name, 'docker') && !SYSTEM.has(name) && !OF_COMPOSE.has(name)

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_KEYS)
const OF_COMPOSE: ReadonlySet<string> = new Set(['COMPOSE_PROJECT_NAME', 'HOME', 'PATH', 'LANG'])
