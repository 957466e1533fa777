// The thumbprint with which the edge answers challenges.
import { createPrivateKey } from 'node:crypto'
import { Client } from 'acme-client'
import { expect, test } from 'vitest'
import { Secret } from '../../secrets/secret.ts'
import { generateEcdsaKey, thumbprintOf } from './account-key.ts'

test('the thumbprint is the one that the client uses for challenges', async () => {
  const key = generateEcdsaKey()
  const client = new Client({ directoryUrl: 'https://localhost/directory', accountKey: key.reveal() })
  const challenge = { type: 'http-01', token: 'token', url: '', status: 'pending' } as const
  expect(await client.getChallengeKeyAuthorization(challenge)).toBe(`token.${thumbprintOf(key)}`)
})

test('a known key has a known thumbprint', () => {
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  }
  const pem = createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
  expect(thumbprintOf(new Secret(String(pem)))).toBe('oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U')
})

test('each installation has a key of its own', () => {
  expect(thumbprintOf(generateEcdsaKey())).not.toBe(thumbprintOf(generateEcdsaKey()))
})
