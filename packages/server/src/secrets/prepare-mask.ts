// Makes the mask of a task. Few and short values take no time; what takes longer is prepared in a thread of its own.
import { runInThread } from '../threads/run-in-thread.ts'
import type { FormTables } from './form-tables.ts'
import { createMask, type Mask, maskOf } from './mask.ts'
import { Secret } from './secret.ts'

/** Characters of all values together; a value of the worst kind needs some microseconds for each. */
const mostAtOnce = 4096
const program = new URL('./mask-thread.ts', import.meta.url)
/** The most that variables can hold needs some seconds. */
const limits = { computeMs: 300_000, memoryMb: 512 }

export async function prepareMask(values: readonly (Secret | string)[]): Promise<Mask> {
  const input = [...new Set(values.map((value) => (value instanceof Secret ? value.reveal() : value)))]
  const characters = input.reduce((sum, value) => sum + value.length, 0)
  if (characters <= mostAtOnce) return createMask(input)
  return maskOf(await runInThread<FormTables>({ program, input }, limits))
}
