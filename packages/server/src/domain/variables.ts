// Rules for changing custom variables, those of an environment and those of a project.
import type { Fault } from '@shipway/api/problem'
import type { Recipe } from '@shipway/api/values/recipe'
import { countBytes } from '@shipway/api/values/text'
import { reservedFor, VARIABLE_LIMITS } from '@shipway/api/values/variable'

export type VariableChanges = {
  readonly set: ReadonlyMap<string, string>
  readonly unset: readonly string[]
  /** Whether keys are handed to builds. */
  readonly build: ReadonlyMap<string, boolean>
}

/** `deployedVersion`: what the last deployment that started took. Before the first one every variable is a change. */
export function haveVariablesChanged(version: number, deployedVersion: number | null): boolean {
  return version !== (deployedVersion ?? 0)
}

/**
 * `kept`: the variables that the change leaves as they are. Any key may be unset, a reserved one too. Environments of both
 * recipes inherit a project's variables, so there the keys of both are reserved: those of the manual recipe.
 */
export function faultsOf(
  changes: VariableChanges,
  { recipe, kept }: { recipe: Recipe; kept: readonly string[] },
): readonly Fault[] {
  const known = new Set([...kept, ...changes.set.keys()])
  return [
    ...reservedKeys(changes, recipe),
    ...keysInBoth(changes),
    ...tooManyKeys(changes, kept.length),
    ...marksOfNothing(changes, known),
  ]
}

/**
 * The size of all values, before and after a change. A set that is too large from an earlier release may still be changed, as
 * long as it does not get more.
 */
export function faultsOfWeight({ before, after }: { before: number; after: number }): readonly Fault[] {
  if (after <= VARIABLE_LIMITS.totalBytes || after <= before) return []
  const detail =
    'All values have at most 1 MiB together, and each counts as 2, 4, 8, 16, 32 or 64 KiB. Unset or shorten some'
  return [{ pointer: '/set', code: 'too_long_together', detail }]
}

/**
 * The counted size of a value: rounded up to a step, never its length. By adding values up to the limit, a user who may
 * set variables could otherwise find out how long one is. The smallest step holds nearly every secret, and 500 of them fit.
 */
export function weightOf(bytes: number): number {
  let weight = LEAST_WEIGHT
  while (weight < bytes) weight *= 2
  return weight
}

export const weightOfText = (value: string): number => weightOf(countBytes(value))

const LEAST_WEIGHT = 2048

function reservedKeys({ set }: VariableChanges, recipe: Recipe): Fault[] {
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

function marksOfNothing({ build }: VariableChanges, known: ReadonlySet<string>): Fault[] {
  const keys = [...build.keys()].filter((key) => !known.has(key))
  return keys.map((key) => ({
    pointer: `/build/${key}`,
    code: 'unknown_key',
    detail: `There is no variable ${key} here to mark. Set it first, or together with the mark`,
  }))
}

function tooManyKeys({ set }: VariableChanges, keptCount: number): Fault[] {
  if (keptCount + set.size <= VARIABLE_LIMITS.keys) return []
  const detail = `There are at most ${VARIABLE_LIMITS.keys} variables. Unset some that are not needed`
  return [{ pointer: '/set', code: 'too_many_keys', detail }]
}
