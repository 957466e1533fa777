// Digests of large texts, a slice at a time: between two of them everybody else has a turn.
import { createHash, type Hash, type Hmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_BYTES = 256 * 1024

/** SHA-256 in lower-case hex. */
export async function digestInSlices(...parts: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256')
  for (const part of parts) await updateInSlices([digest], part)
  return digest.digest('hex')
}

export async function updateInSlices(digests: readonly (Hash | Hmac)[], body: Uint8Array): Promise<void> {
  for (let from = 0; from < body.length; from += SLICE_BYTES) {
    const slice = body.subarray(from, from + SLICE_BYTES)
    for (const digest of digests) digest.update(slice)
    if (from + SLICE_BYTES < body.length) await nextTurn()
  }
}
