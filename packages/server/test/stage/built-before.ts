// What hooks build, as constants: a describe block names each value while it is read, and its tests find the fields filled in.
import { beforeAll, beforeEach } from 'vitest'

/** Once for all tests of the block. For plain objects only: what is copied are the fields. */
export function builtBeforeAll<Value extends object>(build: () => Promise<Value>, timeoutMs?: number): Value {
  const value = {} as Value
  beforeAll(async () => void Object.assign(value, await build()), timeoutMs)
  return value
}

/** Anew for each test of the block. */
export function builtBeforeEach<Value extends object>(build: () => Promise<Value>): Value {
  const value = {} as Value
  beforeEach(async () => void Object.assign(value, await build()))
  return value
}
