// Tables of hostile inputs: what is sent under which id, and the check of what must hold.
import type { World } from './world.ts'

export type Trial = {
  readonly id: string
  readonly surface: string
  readonly value: unknown
  /** Sends the value; rejects where the platform does something other than it must. */
  run(world: World): Promise<void>
}

export type Rows<Value> = readonly (readonly [id: string, value: Value])[]

type Table<Value> = {
  readonly surface: string
  readonly rows: Rows<Value>
  readonly holds: (world: World, value: Value) => Promise<void>
}

/** `$CANARY` in a value is replaced by the path of a file that no command may ever make. */
export function table<Value>({ surface, rows, holds }: Table<Value>): readonly Trial[] {
  return rows.map(([id, value]) => ({
    id,
    surface,
    value,
    run: (world) => holds(world, withCanary(value, world.canary)),
  }))
}

/** Scenarios, which have steps in place of a value. */
export const scenarios = (
  surface: string,
  steps: Readonly<Record<string, (world: World) => Promise<void>>>,
): readonly Trial[] => Object.entries(steps).map(([id, run]) => ({ id, surface, value: 'a scenario', run }))

/** Rows `prefix-001`, `prefix-002` …, in the order of the values. */
export function numbered<Value>(prefix: string, numbers: readonly number[], values: readonly Value[]): Rows<Value> {
  if (numbers.length !== values.length) throw new Error(`${numbers.length} numbers for ${values.length} of ${prefix}`)
  return values.map((value, index) => [`${prefix}-${String(numbers[index]).padStart(3, '0')}`, value])
}

function withCanary<Value>(value: Value, path: string): Value {
  const replaced = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll('$CANARY', path)
    if (Array.isArray(part)) return part.map(replaced)
    if (part === null || typeof part !== 'object' || Buffer.isBuffer(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaced(inner)]))
  }
  return replaced(value) as Value
}
