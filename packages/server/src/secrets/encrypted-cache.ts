// A cache in memory for texts with secrets in them that are expensive to compute. Each entry is encrypted with a key derived from the
// inputs of the computation, and the inputs are not stored: without them an entry cannot be read, and no caller can get a text that was
// computed from other inputs.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

export type EncryptedCache = {
  /** Returns undefined if there is no entry, or if it was computed from other inputs. */
  find(key: string, inputs: Secret): Secret | undefined
  /** Replaces the entry of the key. Drops a text that is too long. */
  store(key: string, text: Secret, inputs: Secret): void
}

type Limits = { readonly entries: number; readonly entryBytes: number }

type Encrypted = { readonly salt: Buffer; readonly nonce: Buffer; readonly ciphertext: Buffer; readonly tag: Buffer }

/** Evicts the least recently used entry. */
export function createEncryptedCache(limits: Limits): EncryptedCache {
  const entries = new Map<string, Encrypted>()
  return {
    find: (key, inputs) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return decrypt(entry, inputs)
    },
    store: (key, text, inputs) => {
      const bytes = Buffer.from(text.reveal())
      entries.delete(key)
      if (bytes.length > limits.entryBytes) return
      const [oldest] = entries.keys()
      if (entries.size >= limits.entries && oldest !== undefined) entries.delete(oldest)
      entries.set(key, encrypt(bytes, inputs))
    },
  }
}

const CIPHER = 'aes-256-gcm'

const deriveKey = (inputs: Secret, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', inputs.reveal(), salt, 'shipway encrypted cache', 32))

function encrypt(bytes: Buffer, inputs: Secret): Encrypted {
  const salt = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, deriveKey(inputs, salt), nonce)
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return { salt, nonce, ciphertext, tag: cipher.getAuthTag() }
}

function decrypt({ salt, nonce, ciphertext, tag }: Encrypted, inputs: Secret): Secret | undefined {
  const decipher = createDecipheriv(CIPHER, deriveKey(inputs, salt), nonce, { authTagLength: tag.length })
  decipher.setAuthTag(tag)
  const bytes = decipher.update(ciphertext)
  try {
    return new Secret(Buffer.concat([bytes, decipher.final()]).toString())
  } catch {
    // The tag does not match: the entry was computed from other inputs.
    return undefined
  }
}
