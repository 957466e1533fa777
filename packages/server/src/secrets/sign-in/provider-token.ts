// Binds a sign-in with the provider to one browser: a token in its cookie, from which all other values are derived. Only its digest is stored.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { digestOf, looksLikeToken, newToken } from '../token.ts'

export const newProviderToken = () => newToken('shw_oidc_')

export type ProviderSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** None of them reveals another, or the token. */
export const providerSecretsOf = (token: string): ProviderSecrets => ({
  state: derive(token, 'state'),
  nonce: derive(token, 'nonce'),
  verifier: derive(token, 'verifier'),
})

/** The digest of the cookie's token, if the returned state was derived from that token. */
export function digestForState(token: string | undefined, state: string): string | undefined {
  if (token === undefined || !looksLikeToken(token, 'shw_oidc_')) return undefined
  const [own, given] = [Buffer.from(providerSecretsOf(token).state), Buffer.from(state)]
  return own.length === given.length && timingSafeEqual(own, given) ? digestOf(token) : undefined
}

const derive = (token: string, purpose: string): string =>
  createHmac('sha256', token).update(purpose).digest('base64url')
