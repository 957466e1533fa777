// Verifies the signature of a delivery over the raw bytes, in constant time.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { updateInChunks } from './digest-in-chunks.ts'
import type { Secret } from './secret.ts'

/** The signatures that a delivery must carry if it was signed with the secret. */
export type ExpectedSignatures = {
  readonly secret: Secret
  /** HMAC-SHA256 in lower-case hex. */
  readonly hex: string
  /** HMAC of the JSON alone, if it was sent in a form. */
  readonly partHex: string | undefined
  readonly standard: readonly string[]
}

type SignedDelivery = {
  readonly body: Uint8Array
  /** The JSON, if it was sent in a form. */
  readonly part?: Uint8Array | undefined
  /** Set if the delivery is signed by the rules of Standard Webhooks. */
  readonly standard?: { readonly id: string; readonly timestamp: string } | undefined
}

/** How often the body is hashed depends on the delivery alone, so the time says nothing about the secret. */
export function computeSignatures(secret: Secret, { body, part, standard }: SignedDelivery): ExpectedSignatures {
  const hexOf = (bytes: Uint8Array): string => createHmac('sha256', secret.reveal()).update(bytes).digest('hex')
  return {
    secret,
    hex: hexOf(body),
    partHex: part && hexOf(part),
    standard: standard ? keysOf(secret).map((key) => standardHmac(key, { body, ...standard })) : [],
  }
}

/** As `computeSignatures`, for a large body and without blocking the event loop. A form of that size is signed as a whole. */
export async function computeSignaturesInChunks(
  secret: Secret,
  { body, standard }: SignedDelivery,
): Promise<ExpectedSignatures> {
  const own = createHmac('sha256', secret.reveal())
  const others = standard ? keysOf(secret).map((key) => startStandardHmac(key, standard)) : []
  await updateInChunks([own, ...others], body)
  return {
    secret,
    hex: own.digest('hex'),
    partHex: undefined,
    standard: others.map((hmac) => `v1,${hmac.digest('base64')}`),
  }
}

/** The signature is `{prefix}{hex}`. An empty secret verifies nothing. */
export function isHexHmac(given: string | undefined, { hex, secret }: ExpectedSignatures, prefix: string): boolean {
  return isSame(given ?? '', `${prefix}${hex}`) && secret.reveal() !== ''
}

/** As `isHexHmac`, for JSON in a form. */
export function isPartHmac(given: string | undefined, expected: ExpectedSignatures, prefix: string): boolean {
  const { partHex } = expected
  return partHex !== undefined && isHexHmac(given, { ...expected, hex: partHex }, prefix)
}

/** The git host sends the secret itself. */
export function isToken(given: string | undefined, secret: Secret): boolean {
  return isSame(given ?? '', secret.reveal()) && secret.reveal() !== ''
}

/** Standard Webhooks: signatures separated by spaces. */
export function isStandardHmac(given: string | undefined, { standard, secret }: ExpectedSignatures): boolean {
  const signatures = (given ?? '').split(' ').slice(0, MOST_SIGNATURES)
  const matches = standard.flatMap((expected) => signatures.map((signature) => isSame(signature, expected)))
  return matches.includes(true) && secret.reveal() !== ''
}

/** For git hosts that require a signing token of exactly this form: 32 bytes in base64. */
export function signingTokenOf(secret: Secret): string {
  return `${TOKEN_PREFIX}${hash('sha256', secret.reveal(), 'buffer').toString('base64')}`
}

const TOKEN_PREFIX = 'whsec_'
const MOST_SIGNATURES = 5

/** `v1,{HMAC-SHA256 in base64}` over id, time and body. */
function standardHmac(key: Buffer, { body, ...named }: StandardId & { readonly body: Uint8Array }): string {
  return `v1,${startStandardHmac(key, named).update(body).digest('base64')}`
}

type StandardId = { readonly id: string; readonly timestamp: string }

const startStandardHmac = (key: Buffer, { id, timestamp }: StandardId) =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`)

/** The bytes of a `whsec_` token are the key. For any other secret it is the token of `signingTokenOf`, or the text of the secret. */
function keysOf(secret: Secret): readonly Buffer[] {
  const text = secret.reveal()
  const token = text.startsWith(TOKEN_PREFIX) ? text : signingTokenOf(secret)
  return [Buffer.from(text), Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64')]
}

/** Compares digests, so that the time shows neither the length nor the first difference. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
