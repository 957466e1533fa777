/** Hashes passwords with argon2id and checks them; stored in the PHC format `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type ConcurrencyLimit, limitConcurrency } from '../scheduling/limit-concurrency.ts'

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  // A user who sets a password has already proven something: a link, an invitation or the old password.
  const hash = await derive(password, { ...strength, salt, length: 32, inTurn: lanes.trusted })
  const { memory, passes, parallelism } = strength
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Takes the same time without a hash (no such account), so that the time does not show which accounts exist. */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  { isTrusted = false }: { readonly isTrusted?: boolean } = {},
): Promise<boolean> {
  const { hash, ...parameters } = stored === undefined ? absent : parse(stored)
  const inTurn = isTrusted ? lanes.trusted : lanes.others
  const derived = await derive(password, { ...parameters, length: hash.length, inTurn })
  return timingSafeEqual(derived, hash) && stored !== undefined
}

interface Derivation {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array
}

// The minimum that OWASP recommends for argon2id; memory in KiB.
const strength = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const

const absent = { ...strength, salt: Buffer.alloc(16), hash: Buffer.alloc(32) }

/**
 * Three at a time leave one thread of the pool for files and DNS; 50 in a queue are about one second of work. Known users have a queue of
 * their own, so that a flood of sign-ins from strangers does not delay them.
 */
const lanes = {
  trusted: limitConcurrency({ concurrency: 1, maxQueued: 50 }),
  others: limitConcurrency({ concurrency: 2, maxQueued: 50 }),
}
const argon2Async = promisify(argon2)

type PasswordDerivation = Derivation & { readonly length: number; readonly inTurn: ConcurrencyLimit }

function derive(password: string, { salt, length, inTurn, ...cost }: PasswordDerivation): Promise<Uint8Array> {
  // Two keyboards may send different code points for the same password; NFKC normalizes them.
  const message = Buffer.from(password.normalize('NFKC'))
  return inTurn(() => argon2Async('argon2id', { ...cost, message, nonce: salt, tagLength: length }))
}

function parse(stored: string): Derivation & { hash: Uint8Array } {
  const parts = form.exec(stored)?.groups
  const cost = { memory: Number(parts?.m), passes: Number(parts?.t), parallelism: Number(parts?.p) }
  const salt = Buffer.from(parts?.salt ?? '', 'base64')
  const hash = Buffer.from(parts?.hash ?? '', 'base64')
  // Bounded, so that a damaged row cannot use up the memory.
  const isSane = cost.memory >= 8 * cost.parallelism && cost.memory <= 1024 * 1024 && cost.passes <= 100
  if (!parts || !isSane || cost.parallelism > 16 || salt.length < 8 || hash.length < 16 || hash.length > 64) {
    throw new Error('A stored password hash is damaged. Let the user reset the password.')
  }
  return { ...cost, salt, hash }
}

const form =
  /^\$argon2id\$v=19\$m=(?<m>[1-9]\d*),t=(?<t>[1-9]\d*),p=(?<p>[1-9]\d*)\$(?<salt>[\w+/]+)\$(?<hash>[\w+/]+)$/

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
