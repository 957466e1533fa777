// The key of the platform's account at the ACME authority, and what the edge answers challenges with.
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Secret } from '../../secrets/secret.ts'

/** Also for certificates: small, quick, and taken by every browser. */
export function generateEcdsaKey(): Secret {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return new Secret(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

/** RFC 7638: the digest of the public key's members in the order of their names. A challenge is answered with it and no state. */
export function thumbprintOf(accountKey: Secret): string {
  const { crv, kty, x, y } = createPublicKey(accountKey.reveal()).export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
