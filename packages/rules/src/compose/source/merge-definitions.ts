// Merges two definitions as Compose does: maps by key, lists by concatenation, single values by the later one.
import type { JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'

export function mergeDefinitions(base: JsonObject, over: JsonObject): JsonObject {
  const merged: [string, unknown][] = Object.entries(base).map(([key, value]) => [
    key,
    Object.hasOwn(over, key) ? mergeValues(key, value, over[key]) : value,
  ])
  return Object.fromEntries([...merged, ...Object.entries(over).filter(([key]) => !Object.hasOwn(base, key))])
}

function mergeValues(key: string, base: unknown, over: unknown): unknown {
  if (REPLACED.has(key) || over === null || over === undefined) return over ?? base
  if (Array.isArray(base) && Array.isArray(over))
    return key === 'volumes' ? byTarget(base, over) : unique([...base, ...over])
  if (isMap(base) && isMap(over)) return mergeDefinitions(base, over)
  return over
}

const REPLACED: ReadonlySet<string> = new Set(['command', 'entrypoint', 'test'])

const isMap = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A mount replaces another one with the same target. */
function byTarget(base: readonly unknown[], over: readonly unknown[]): readonly unknown[] {
  const targets = new Set(over.map((mount) => objectOf(mount).target))
  return [...base.filter((mount) => !targets.has(objectOf(mount).target)), ...over]
}

const unique = (list: readonly unknown[]): readonly unknown[] => [
  ...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values(),
]
