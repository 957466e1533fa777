/**
 * The OpenID Connect provider that people may sign in with: authorization code with PKCE, state and nonce, by openid-client. What the provider
 * sends is untrusted: limited in time and size, and read field by field.
 */
import type { ProviderAnswer } from '@shipway/api/sign-in/provider-sign-in'
import { Email } from '@shipway/api/values/email'
import { Name } from '@shipway/api/values/name'
import type { Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { ProviderFailed, ProviderRefused } from '../domain/people/sign-in-errors.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ProviderSecrets } from '../secrets/sign-in/provider-token.ts'
import { createBoundedFetch } from './bounded-fetch.ts'

export type ProviderIdentity = {
  readonly issuer: string
  readonly subject: string
  /** Only where the provider says that it has verified it. */
  readonly verifiedEmail: string | undefined
  readonly name: string | undefined
}

export type SignInProvider = {
  readonly issuer: string
  readonly name: string
  readonly emailDomains: readonly string[]
  readonly hasOpenSignUp: boolean
  /** Where to send the browser. */
  begin(secrets: ProviderSecrets): Promise<string>
  /** Who came back. */
  finish(answer: ProviderAnswer, secrets: ProviderSecrets): Promise<ProviderIdentity>
}

export type ProviderSettings = Pick<SignInProvider, 'issuer' | 'name' | 'emailDomains' | 'hasOpenSignUp'> & {
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  readonly redirectUri: string
  readonly allowedNetworks: readonly string[]
  readonly clock: () => number
}

const DISCOVERY_MS = 60 * 60_000

export function createSignInProvider(settings: ProviderSettings): SignInProvider {
  const { issuer, name, emailDomains, hasOpenSignUp, redirectUri } = settings
  const configuration = cacheFor(DISCOVERY_MS, settings.clock, () => discover(settings))
  return {
    issuer,
    name,
    emailDomains,
    hasOpenSignUp,
    begin: async ({ state, nonce, verifier }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      const found = await askProvider('The provider could not be reached', configuration)
      const challenge = await calculatePKCECodeChallenge(verifier)
      const url = buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return url.href
    },
    finish: async (answer, secrets) => {
      // Whatever the provider calls it: the user declined or went back.
      if (answer.error !== undefined || answer.code === undefined) throw ProviderRefused()
      const found = await askProvider('The provider could not be reached', configuration)
      return askProvider('The provider did not confirm who you are', () => redeem(found, { answer, secrets, settings }))
    },
  }
}

/** The library is loaded for the first sign-in: most installations have no provider, and idle ones need no memory for it. */
async function discover({ issuer, clientId, clientSecret, allowedNetworks }: ProviderSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  const fetch: CustomFetch = createBoundedFetch({ trustedHost: url.hostname, allowedNetworks })
  const proof = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret.reveal())
  // Signatures are checked although the answer comes from the provider itself. Only an issuer on this machine may do without https.
  const execute = [client.enableNonRepudiationChecks, ...(isHttp(url) ? [client.allowInsecureRequests] : [])]
  const options = { [client.customFetch]: fetch, timeout: 10, execute }
  const found = await client.discovery(url, clientId, undefined, proof, options)
  demandWebPage(found.serverMetadata().authorization_endpoint, url.protocol)
  return found
}

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:'

/** A page sends the browser there: anything but http(s) could run as a script of ours. */
function demandWebPage(address: string | undefined, protocol: string): void {
  const found = URL.parse(String(address))?.protocol
  if (found !== 'https:' && found !== protocol) throw new Error(`${address} is no address to send a browser to`)
}

type Redemption = {
  readonly answer: ProviderAnswer
  readonly secrets: ProviderSecrets
  readonly settings: ProviderSettings
}

async function redeem(found: Configuration, { answer, secrets, settings }: Redemption): Promise<ProviderIdentity> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(found, currentUrl(settings.redirectUri, answer), {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.verifier,
    idTokenExpected: true,
  })
  const claims = Claims.parse(tokens.claims())
  // Many providers give the e-mail only here.
  const more =
    claims.email === undefined && found.serverMetadata().userinfo_endpoint !== undefined
      ? Claims.parse(await fetchUserInfo(found, tokens.access_token, claims.sub))
      : claims
  const isVerified = more.email_verified === true || more.email_verified === 'true'
  return {
    issuer: settings.issuer,
    subject: claims.sub,
    verifiedEmail: isVerified ? more.email : undefined,
    name: claims.name ?? more.name,
  }
}

/** At most 255 ASCII characters, as OpenID Connect says. An e-mail or a name that cannot be used counts as none. */
const Claims = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: Email.optional().catch(undefined),
  email_verified: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  name: Name.optional().catch(undefined),
})

function currentUrl(redirectUri: string, { state, code, iss }: ProviderAnswer): URL {
  const url = new URL(redirectUri)
  for (const [key, value] of Object.entries({ state, code, iss })) {
    if (value !== undefined) url.searchParams.set(key, value)
  }
  return url
}

/** A failure of the provider is not a bug of the platform; the error is kept as the cause. */
async function askProvider<Result>(detail: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof AppError ? error : ProviderFailed(detail, error)
  }
}

/** Fetches on first use and caches the answer for a while. Concurrent callers share one fetch; failures are not cached. */
function cacheFor<Value>(lifeMs: number, clock: () => number, fetch: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly until: number } | undefined
  return () => {
    if (kept && clock() < kept.until) return kept.value
    const value = fetch().catch((error: unknown) => {
      if (kept === mine) kept = undefined
      throw error
    })
    const mine = { value, until: clock() + lifeMs }
    kept = mine
    return value
  }
}
