// Rules for changing custom variables, those of an environment and those of a project.
import type { Fault } from '@shipway/api/problem'
import { countBytes } from '@shipway/api/values/text'
import { reservedFor, VARIABLE_LIMITS } from '@shipway/api/values/variable'

export type VariableChanges = {
  readonly set: ReadonlyMap<string, string>
  readonly unset: readonly string[]
}

/** `deployedVersion`: what the last deployment that started took. Before the first one every variable is a change. */
export function haveVariablesChanged(version: number, deployedVersion: number | null): boolean {
  return version !== (deployedVersion ?? 0)
}

/**
 * `keptCount`: how many variables the change leaves as they are. Any key may be unset, a reserved one too. Environments of both
 * recipes inherit a project's variables, so there the keys of both are reserved: those of the manual recipe.
 */
export function faultsOf(
  changes: VariableChanges,
  { recipe, keptCount }: { recipe: 'docker' | 'manual'; keptCount: number },
): readonly Fault[] {
  return [...reservedKeys(changes, recipe), ...keysInBoth(changes), ...tooManyKeys(changes, keptCount)]
}

/** How much there is by now stays unsaid, since it tells of the values. */
export function faultsOfSize(bytes: number): readonly Fault[] {
  if (bytes <= VARIABLE_LIMITS.totalBytes) return []
  const detail = 'All keys and values have at most 1 MiB together. Unset or shorten some'
  return [{ pointer: '/set', code: 'too_long_together', detail }]
}

export function bytesOf(variables: Iterable<readonly [key: string, value: string]>): number {
  let bytes = 0
  for (const [key, value] of variables) bytes += countBytes(key) + countBytes(value)
  return bytes
}

function reservedKeys({ set }: VariableChanges, recipe: 'docker' | 'manual'): Fault[] {
  const keys = [...set.keys()].filter((key) => reservedFor(key, recipe))
  return keys.map((key) => ({
    pointer: `/set/${key}`,
    code: 'reserved_key',
    detail: `The platform keeps ${key} for itself. Choose another key`,
  }))
}

function keysInBoth({ set, unset }: VariableChanges): Fault[] {
  const places = unset.flatMap((key, index) => (set.has(key) ? { key, index } : []))
  return places.flatMap(({ key, index }) =>
    [`/set/${key}`, `/unset/${index}`].map((pointer) => ({
      pointer,
      code: 'set_and_unset',
      detail: `${key} is in set and in unset. Leave it in one of them`,
    })),
  )
}

function tooManyKeys({ set }: VariableChanges, keptCount: number): Fault[] {
  if (keptCount + set.size <= VARIABLE_LIMITS.keys) return []
  const detail = `There are at most ${VARIABLE_LIMITS.keys} variables. Unset some that are not needed`
  return [{ pointer: '/set', code: 'too_many_keys', detail }]
}
