// Whether a delivery was signed with a secret: over the bytes that came, in the same time whatever is wrong with it.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.ts'

/** Signed as `{prefix}{HMAC-SHA256 in lower-case hex}`. An empty secret signs nothing. */
export function isHexHmac(given: string | undefined, { prefix, body, secret }: Signed & { prefix: string }): boolean {
  const expected = createHmac('sha256', secret.reveal()).update(body).digest('hex')
  return isSame(given ?? '', `${prefix}${expected}`) && secret.reveal() !== ''
}

/** The secret itself is sent. */
export function isToken(given: string | undefined, secret: Secret): boolean {
  return isSame(given ?? '', secret.reveal()) && secret.reveal() !== ''
}

/**
 * Standard Webhooks: `v1,{HMAC-SHA256 in base64}` over the id, the time and the body, several of them set apart by spaces. The key
 * is what a `whsec_` token holds; for a secret of ours that is the token of `signingTokenOf`, or the secret's own text.
 */
export function isStandardHmac(
  given: string | undefined,
  { id, timestamp, body, secret }: Signed & { id: string; timestamp: string },
): boolean {
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const signatures = (given ?? '').split(' ').slice(0, MOST_SIGNATURES)
  const matches = keysOf(secret).flatMap((key) => {
    const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
    return signatures.map((signature) => isSame(signature, expected))
  })
  return matches.includes(true) && secret.reveal() !== ''
}

/** For git hosts that take a signing token of exactly this form: 32 bytes in base64. */
export function signingTokenOf(secret: Secret): string {
  return `${TOKEN_PREFIX}${hash('sha256', secret.reveal(), 'buffer').toString('base64')}`
}

type Signed = { readonly body: Uint8Array; readonly secret: Secret }

const TOKEN_PREFIX = 'whsec_'
const MOST_SIGNATURES = 5

function keysOf(secret: Secret): readonly Buffer[] {
  const text = secret.reveal()
  const token = text.startsWith(TOKEN_PREFIX) ? text : signingTokenOf(secret)
  return [Buffer.from(text), Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64')]
}

/** The digests have one length whatever was sent, so that neither the length nor the first difference shows in the time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
