// The key of the platform's ACME account, and the thumbprint with which the edge answers challenges.
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Secret } from '../../secrets/secret.ts'

/** Also used for certificates: small, fast, and accepted by every browser. */
export function generateEcdsaKey(): Secret {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return new Secret(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

/** RFC 7638: the digest of the public key's members in order of their names. It is all that the edge needs to answer challenges. */
export function thumbprintOf(accountKey: Secret): string {
  const { crv, kty, x, y } = createPublicKey(accountKey.reveal()).export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
