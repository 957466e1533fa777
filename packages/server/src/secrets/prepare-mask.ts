// Builds the mask of a task: in place if the values are few and short, in a worker thread if they are not.
import { runInThread } from '../threads/run-in-thread.ts'
import type { EncodingTrie } from './encoding-trie.ts'
import { createMask, type Mask, maskOf } from './mask.ts'
import { Secret } from './secret.ts'

/** Characters of all values. The worst kind of value takes some microseconds for each. */
const mostInPlace = 4096
const program = new URL('./mask-thread.ts', import.meta.url)
/** The largest allowed variables take some seconds. */
const limits = { computeMs: 300_000, memoryMb: 512 }

export async function prepareMask(values: readonly (Secret | string)[]): Promise<Mask> {
  const input = [...new Set(values.map((value) => (value instanceof Secret ? value.reveal() : value)))]
  const characters = input.reduce((sum, value) => sum + value.length, 0)
  if (characters <= mostInPlace) return createMask(input)
  return maskOf(await runInThread<EncodingTrie>({ program, input }, limits))
}
