// Whether a delivery was signed with a secret: over the bytes that came, in the same time whatever is wrong with it.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { updateInSlices } from './digest-in-chunks.ts'
import type { Secret } from './secret.ts'

/** What a secret makes of the bytes that came, for whoever compares with what was sent. */
export type Expected = {
  readonly secret: Secret
  /** HMAC-SHA256 in lower-case hex. */
  readonly hex: string
  /** The same over the JSON alone, where that came in a form. */
  readonly partHex: string | undefined
  readonly standard: readonly string[]
}

type SignedDelivery = {
  readonly body: Uint8Array
  /** The JSON, where it came in a form. */
  readonly part?: Uint8Array | undefined
  /** The id and the time, where the delivery is signed by the rules of Standard Webhooks. */
  readonly standard?: { readonly id: string; readonly timestamp: string } | undefined
}

/** A large body takes a while: how often it is gone through depends on what was sent alone. */
export function expectedOf(secret: Secret, { body, part, standard }: SignedDelivery): Expected {
  const hexOf = (bytes: Uint8Array): string => createHmac('sha256', secret.reveal()).update(bytes).digest('hex')
  return {
    secret,
    hex: hexOf(body),
    partHex: part && hexOf(part),
    standard: standard ? keysOf(secret).map((key) => standardHmac(key, { body, ...standard })) : [],
  }
}

/** The same for a large body, without stopping everybody else. A form of that size is signed as a whole. */
export async function expectedInSlices(secret: Secret, { body, standard }: SignedDelivery): Promise<Expected> {
  const own = createHmac('sha256', secret.reveal())
  const others = standard ? keysOf(secret).map((key) => beginStandard(key, standard)) : []
  await updateInSlices([own, ...others], body)
  return {
    secret,
    hex: own.digest('hex'),
    partHex: undefined,
    standard: others.map((hmac) => `v1,${hmac.digest('base64')}`),
  }
}

/** Signed as `{prefix}{hex}`. An empty secret signs nothing. */
export function isHexHmac(given: string | undefined, { hex, secret }: Expected, prefix: string): boolean {
  return isSame(given ?? '', `${prefix}${hex}`) && secret.reveal() !== ''
}

/** As `isHexHmac`, over the JSON in a form. */
export function isPartHmac(given: string | undefined, expected: Expected, prefix: string): boolean {
  const { partHex } = expected
  return partHex !== undefined && isHexHmac(given, { ...expected, hex: partHex }, prefix)
}

/** The secret itself is sent. */
export function isToken(given: string | undefined, secret: Secret): boolean {
  return isSame(given ?? '', secret.reveal()) && secret.reveal() !== ''
}

/** Standard Webhooks: signatures set apart by spaces. */
export function isStandardHmac(given: string | undefined, { standard, secret }: Expected): boolean {
  const signatures = (given ?? '').split(' ').slice(0, MOST_SIGNATURES)
  const matches = standard.flatMap((expected) => signatures.map((signature) => isSame(signature, expected)))
  return matches.includes(true) && secret.reveal() !== ''
}

/** For git hosts that take a signing token of exactly this form: 32 bytes in base64. */
export function signingTokenOf(secret: Secret): string {
  return `${TOKEN_PREFIX}${hash('sha256', secret.reveal(), 'buffer').toString('base64')}`
}

const TOKEN_PREFIX = 'whsec_'
const MOST_SIGNATURES = 5

/** `v1,{HMAC-SHA256 in base64}` over the id, the time and the body. */
function standardHmac(key: Buffer, { body, ...named }: StandardId & { readonly body: Uint8Array }): string {
  return `v1,${beginStandard(key, named).update(body).digest('base64')}`
}

type StandardId = { readonly id: string; readonly timestamp: string }

const beginStandard = (key: Buffer, { id, timestamp }: StandardId) =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`)

/** The key is what a `whsec_` token holds; for a secret of ours that is the token of `signingTokenOf`, or the secret's own text. */
function keysOf(secret: Secret): readonly Buffer[] {
  const text = secret.reveal()
  const token = text.startsWith(TOKEN_PREFIX) ? text : signingTokenOf(secret)
  return [Buffer.from(text), Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64')]
}

/** The digests have one length whatever was sent, so that neither the length nor the first difference shows in the time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
