// Hashes large bodies in chunks and yields to the event loop between them.
import { createHash, type Hash, type Hmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const CHUNK_BYTES = 256 * 1024

/** SHA-256 in lower-case hex. */
export async function digestInChunks(...parts: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256')
  for (const part of parts) await updateInChunks([digest], part)
  return digest.digest('hex')
}

export async function updateInChunks(digests: readonly (Hash | Hmac)[], body: Uint8Array): Promise<void> {
  for (let from = 0; from < body.length; from += CHUNK_BYTES) {
    const chunk = body.subarray(from, from + CHUNK_BYTES)
    for (const digest of digests) digest.update(chunk)
    if (from + CHUNK_BYTES < body.length) await nextTurn()
  }
}
