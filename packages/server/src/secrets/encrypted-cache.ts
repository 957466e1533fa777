// Texts with secrets in them that take long to find out, kept in memory alone, for whoever needs the same again. Each is sealed with a key
// made of all that it was found out from, which is not kept: whoever does not have that cannot read it, nor can anybody be given a text
// that was found out from something else.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

export type SealedMemory = {
  /** Undefined where it is not known, or was found out from something else. */
  find(place: string, from: Secret): Secret | undefined
  /** In place of what was there. One that is too long is not kept. */
  keep(place: string, text: Secret, from: Secret): void
}

type Bounds = { readonly places: number; readonly bytesOfOne: number }

type Sealed = { readonly salt: Buffer; readonly nonce: Buffer; readonly ciphertext: Buffer; readonly tag: Buffer }

/** What was not asked for longest makes room. */
export function createSealedMemory(bounds: Bounds): SealedMemory {
  const kept = new Map<string, Sealed>()
  return {
    find: (place, from) => {
      const sealed = kept.get(place)
      if (!sealed) return undefined
      kept.delete(place)
      kept.set(place, sealed)
      return open(sealed, from)
    },
    keep: (place, text, from) => {
      const bytes = Buffer.from(text.reveal())
      kept.delete(place)
      if (bytes.length > bounds.bytesOfOne) return
      const [oldest] = kept.keys()
      if (kept.size >= bounds.places && oldest !== undefined) kept.delete(oldest)
      kept.set(place, seal(bytes, from))
    },
  }
}

const CIPHER = 'aes-256-gcm'

const keyFrom = (from: Secret, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', from.reveal(), salt, 'shipway sealed memory', 32))

function seal(bytes: Buffer, from: Secret): Sealed {
  const salt = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, keyFrom(from, salt), nonce)
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return { salt, nonce, ciphertext, tag: cipher.getAuthTag() }
}

function open({ salt, nonce, ciphertext, tag }: Sealed, from: Secret): Secret | undefined {
  const decipher = createDecipheriv(CIPHER, keyFrom(from, salt), nonce, { authTagLength: tag.length })
  decipher.setAuthTag(tag)
  const bytes = decipher.update(ciphertext)
  try {
    return new Secret(Buffer.concat([bytes, decipher.final()]).toString())
  } catch {
    // The key is another one: so is what it was found out from.
    return undefined
  }
}
