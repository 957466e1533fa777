/**
 * Seals values for the database with AES-256-GCM.
 *
 * A sealed value reads `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. Its place (table,
 * column, row) is authenticated with it, so a value that is copied to another row does not open there. The key id says which
 * master key sealed it, so older values still open after a change of keys.
 *
 * Secrets that are only compared (tokens, links) are stored as digests. Secrets that are used again are sealed here, bound to their row, so
 * that a sealed value moved to another row does not open. `store/sealed-columns.ts` lists every sealed column for a change of the master key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { EncryptionContext } from '../domain/encryption-context.ts'
import type { MasterKey } from './master-key.ts'
import { Secret } from './secret.ts'

export interface Box {
  readonly keyId: string
  seal(plaintext: string | Secret, where: EncryptionContext): string
  open(sealed: string, where: EncryptionContext): Secret
  /** Equal for equal texts. Keyed, so that short values cannot be guessed from it. */
  fingerprint(text: string): string
}

export function createBox(current: MasterKey, previous: readonly MasterKey[] = []): Box {
  const keyId = keyIdOf(current)
  const key = sealingKeyOf(current)
  const keys = new Map(previous.map((older) => [keyIdOf(older), sealingKeyOf(older)])).set(keyId, key)
  return {
    keyId,
    seal: (plaintext, where) => seal(key, keyId, { plaintext, where }),
    open: (sealed, where) => open(keys, sealed, where),
    fingerprint: (text) => createHmac('sha256', fingerprintKeyOf(current)).update(text).digest('base64url'),
  }
}

/** The length in bytes of a text, from the length of its sealed form. 0 if that is too short to be one. */
export function bytesBeforeSealing(sealedLength: number): number {
  return Math.max(0, Math.floor(((sealedLength - headLength) * 3) / 4) - tagLength)
}

/** A sealed value did not open. The message names the place and shows nothing of the value. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
  readonly where: EncryptionContext
  readonly reason: 'malformed' | 'unknown_key' | 'altered'

  constructor(reason: CannotOpen['reason'], where: EncryptionContext, options?: ErrorOptions) {
    super(`The sealed ${where.table}.${where.column} of ${where.row} cannot be opened: ${reasons[reason]}`, options)
    this.reason = reason
    this.where = where
  }
}

const reasons = {
  malformed: 'it is not a sealed value. Restore it from a backup or set it again.',
  unknown_key: 'it was sealed with another master key. Start with the key it was sealed with.',
  altered: 'it was changed or moved from another place. Restore it from a backup or set it again.',
} as const

const nonceLength = 12
const tagLength = 16
const cipherName = 'aes-256-gcm'
/** Length of `v1.<key id>.<nonce>.`, with 6 and 12 bytes in base64url. */
const headLength = 29

const keyIdOf = (master: MasterKey): string => derive(master, 'shipway key id', 6).toString('base64url')
const sealingKeyOf = (master: MasterKey): KeyObject => createSecretKey(derive(master, 'shipway sealed columns v1', 32))
const fingerprintKeyOf = (master: MasterKey): KeyObject =>
  createSecretKey(derive(master, 'shipway fingerprints v1', 32))

// One derived key for each purpose; none reveals the master key or another derived key.
const derive = (master: MasterKey, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', master.reveal(), '', purpose, length))

function seal(
  key: KeyObject,
  keyId: string,
  content: { plaintext: string | Secret; where: EncryptionContext },
): string {
  const text = content.plaintext instanceof Secret ? content.plaintext.reveal() : content.plaintext
  // UTF-8 cannot encode a lone surrogate; it would come back as another character.
  if (!text.isWellFormed()) throw new TypeError('A text with half of a surrogate pair cannot be sealed')
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(associatedData(keyId, content.where))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${keyId}.${nonce.toString('base64url')}.${ciphertext.toString('base64url')}`
}

function open(keys: ReadonlyMap<string, KeyObject>, sealed: string, where: EncryptionContext): Secret {
  const [version, keyId, nonceText, ciphertextText, ...rest] = sealed.split('.')
  const nonce = fromBase64url(nonceText)
  const ciphertext = fromBase64url(ciphertextText)
  const isWhole = nonce?.length === nonceLength && ciphertext !== undefined && ciphertext.length >= tagLength
  if (version !== 'v1' || keyId === undefined || !isWhole || rest.length > 0) throw new CannotOpen('malformed', where)
  const key = keys.get(keyId)
  if (!key) throw new CannotOpen('unknown_key', where)
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(associatedData(keyId, where))
  decipher.setAuthTag(ciphertext.subarray(-tagLength))
  const plaintext = decipher.update(ciphertext.subarray(0, -tagLength))
  try {
    return new Secret(Buffer.concat([plaintext, decipher.final()]).toString('utf8'))
  } catch (cause) {
    throw new CannotOpen('altered', where, { cause })
  }
}

// JSON, because table "a" column "bc" must differ from table "ab" column "c".
const associatedData = (keyId: string, { table, column, row }: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(['v1', keyId, table, column, row]))

/** Accepts only the canonical encoding, so that each value has exactly one text. */
function fromBase64url(text: string | undefined): Buffer | undefined {
  const bytes = Buffer.from(text ?? '', 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
