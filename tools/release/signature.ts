// Signs the list of checksums of a release with Ed25519. With the list and the public key, a user can check every file of the release.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const CHECKSUMS = 'SHA256SUMS'
export const SIGNATURE = 'SHA256SUMS.sig'

/** As `sha256sum` writes and checks it. */
export const checksumsOf = (files: Readonly<Record<string, Buffer>>): string =>
  Object.entries(files)
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('')

export function readSigningKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(`${file} is no Ed25519 key. Make one with: openssl genpkey -algorithm ed25519 -out ${file}`)
}

export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

export const signText = (text: string, key: KeyObject): Buffer => sign(null, Buffer.from(text), key)
