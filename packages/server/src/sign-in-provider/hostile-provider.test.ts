// A provider that lies, babbles or says nothing: no sign-in comes of it, and nothing hangs.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Loopback, serve } from '../../test/loopback.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { createSignInProvider, type SignInProvider } from './sign-in-provider.ts'

const secrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) }
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

type Claims = Record<string, unknown>
type ProviderAnswer = {
  readonly claims?: Claims
  readonly key?: KeyObject
  readonly alg?: string
  readonly metadata?: Claims
}

describe('a hostile provider', () => {
  let loopback: Loopback
  let provider: SignInProvider
  let issuer: string
  let asked: string[]
  let respond: (request: IncomingMessage, response: ServerResponse) => void

  beforeEach(async () => {
    asked = []
    loopback = await serve((request, response) => {
      asked.push(request.url ?? '')
      respond(request, response)
    })
    issuer = `http://127.0.0.1:${loopback.port}`
    provider = createSignInProvider({
      issuer,
      name: 'Test',
      emailDomains: [],
      hasOpenSignUp: false,
      clientId: 'client',
      clientSecret: undefined,
      redirectUri: 'https://ship.example.com/sign-in/provider',
      allowedNetworks: [],
      clock: Date.now,
    })
  })
  afterEach(() => loopback.close())

  /** Answers as a provider does, but for what the test says. */
  function answerWith({ claims = {}, key = privateKey, alg = 'RS256', metadata = {} }: ProviderAnswer): void {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: issuer, sub: 'somebody', aud: 'client', iat: now, exp: now + 60, nonce: 'nonce', ...claims }
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      },
      '/jwks': { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
      '/token': { access_token: 'a', token_type: 'Bearer', id_token: tokenOf(all, key, alg) },
    }
    respond = (request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answers[request.url ?? ''] ?? {}))
    }
  }
  const finish = () => provider.finish({ state: 'state', code: 'code' }, secrets)

  test('an honest response passes, and an unverified e-mail is left out', async () => {
    answerWith({ claims: { email: 'ada@example.com', name: 'Ada' } })
    expect(await finish()).toEqual({ issuer, subject: 'somebody', verifiedEmail: undefined, name: 'Ada' })
    answerWith({ claims: { email: 'ada@EXAMPLE.com', email_verified: true, name: '\0' } })
    expect(await finish()).toEqual({ issuer, subject: 'somebody', verifiedEmail: 'ada@example.com', name: undefined })
    // Discovery is kept; the keys are, too.
    expect(asked.filter((path) => path.includes('well-known'))).toHaveLength(1)
  })

  test.each<[string, ProviderAnswer]>([
    ['of another sign-in', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['whose time is over', { claims: { exp: 1 } }],
    ['signed by a stranger', { key: stranger }],
    ['without a signature', { alg: 'none' }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a number as subject', { claims: { sub: 7 } }],
    ['with a subject without end', { claims: { sub: 'x'.repeat(256) } }],
    ['with a subject that no database holds', { claims: { sub: 'a\0b' } }],
  ])('an id token %s is refused', async (_, answer) => {
    answerWith(answer)
    await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' })
  })

  test.each<[string, Claims]>([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no address to sign in at', { authorization_endpoint: undefined }],
    ['a script to sign in at', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a number to sign in at', { authorization_endpoint: 7 }],
  ])('metadata with %s is refused, and is asked for again the next time', async (_, metadata) => {
    answerWith({ metadata })
    await expect(provider.begin(secrets)).rejects.toMatchObject({ code: 'provider_failed' })
    answerWith({})
    expect(await provider.begin(secrets)).toContain(`${issuer}/auth?`)
  })

  test('addresses of the metadata lead into no private network but at the host of the issuer', async () => {
    const neighbor = `http://localhost:${loopback.port}/token`
    answerWith({ metadata: { token_endpoint: neighbor } })
    await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' })
    expect(asked).not.toContain('/token')
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['babbles', (response) => void response.end(Buffer.alloc(300 * 1024, ' '))],
    ['sends elsewhere', (response) => void response.writeHead(302, { location: '/jwks' }).end()],
    ['fails', (response) => void response.writeHead(500).end('{}')],
    ['hangs up', (response) => void response.destroy()],
    ['answers no JSON', (response) => void response.setHeader('content-type', 'application/json').end('<html>')],
    ['switches protocols', (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end()],
  ])('a provider that %s is refused with a sentence', async (_, answer) => {
    respond = (_request, response) => answer(response)
    await expect(provider.begin(secrets)).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'The provider could not be reached. Try again in a moment, or use your password',
    })
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['says nothing', () => undefined],
    ['never comes to an end', (response) => void response.write('{')],
  ])('a provider that %s is given up on', async (_, answer) => {
    respond = (_request, response) => answer(response)
    const fetch = createBoundedFetch({ trustedHost: '127.0.0.1', allowedNetworks: [], timeoutMs: 100 })
    await expect(fetch(issuer, { method: 'GET', headers: {} })).rejects.toThrow(/abort|timeout/i)
  })
})

function tokenOf(claims: Claims, key: KeyObject, alg: string): string {
  const parts = [{ alg, typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const text = parts.join('.')
  return `${text}.${alg === 'none' ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`
}
