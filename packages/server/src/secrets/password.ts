/** Hashes passwords with argon2id and checks them; stored in the PHC form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type ConcurrencyLimit, limitConcurrency } from '../scheduling/limit-concurrency.ts'

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  // Whoever chooses a password has proven something before: a link, an invitation, the password that was.
  const hash = await derive(password, { ...strength, salt, length: 32, inTurn: lanes.trusted })
  const { memory, passes, parallelism } = strength
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Without a hash (no such account) it works as long as with one, so that the time tells nobody who has an account. */
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
 * Three at once leave a thread of the pool to files and names; 50 waiting are about one second of work. However many strangers wait, those
 * who are known have a lane of their own.
 */
const lanes = {
  trusted: limitConcurrency({ atOnce: 1, waiting: 50 }),
  others: limitConcurrency({ atOnce: 2, waiting: 50 }),
}
const argon2Async = promisify(argon2)

type PasswordDerivation = Derivation & { readonly length: number; readonly inTurn: ConcurrencyLimit }

function derive(password: string, { salt, length, inTurn, ...cost }: PasswordDerivation): Promise<Uint8Array> {
  // The same password typed on two keyboards may arrive as different code points; NFKC makes them one.
  const message = Buffer.from(password.normalize('NFKC'))
  return inTurn(() => argon2Async('argon2id', { ...cost, message, nonce: salt, tagLength: length }))
}

function parse(stored: string): Derivation & { hash: Uint8Array } {
  const parts = form.exec(stored)?.groups
  const cost = { memory: Number(parts?.m), passes: Number(parts?.t), parallelism: Number(parts?.p) }
  const salt = Buffer.from(parts?.salt ?? '', 'base64')
  const hash = Buffer.from(parts?.hash ?? '', 'base64')
  // Bounded, since a damaged row must not be able to claim all memory.
  const isSane = cost.memory >= 8 * cost.parallelism && cost.memory <= 1024 * 1024 && cost.passes <= 100
  if (!parts || !isSane || cost.parallelism > 16 || salt.length < 8 || hash.length < 16 || hash.length > 64) {
    throw new Error('A stored password hash is damaged. Let the user reset the password.')
  }
  return { ...cost, salt, hash }
}

const form =
  /^\$argon2id\$v=19\$m=(?<m>[1-9]\d*),t=(?<t>[1-9]\d*),p=(?<p>[1-9]\d*)\$(?<salt>[\w+/]+)\$(?<hash>[\w+/]+)$/

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
