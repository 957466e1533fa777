/**
 * Writes a key revocation list as sshd reads it (PROTOCOL.krl of OpenSSH): certificates of one authority, by their serials.
 *
 * By serial and not by key: the key of a certificate is its holder's choice, and a list of keys could be made to shut out somebody
 * else who was certified for the same one.
 */
import { field, uint32, uint64 } from '../../secrets/ssh-wire.ts'

export type Revoked = {
  /** `ssh-ed25519 AAAA…`: of the authority. */
  readonly authorityKey: string
  readonly serials: readonly number[]
}

/** An empty file revokes nothing, and sshd takes it as a list. */
export function encodeRevocationList({ authorityKey, serials }: Revoked): Buffer {
  if (serials.length === 0) return Buffer.alloc(0)
  const authority = Buffer.from(authorityKey.split(' ')[1] ?? '', 'base64')
  const listed = Buffer.concat(serials.map((serial) => uint64(BigInt(serial))))
  const certificates = Buffer.concat([field(authority), field(''), Buffer.from([SERIAL_LIST]), field(listed)])
  return Buffer.concat([MAGIC, uint32(FORMAT), ...UNUSED, Buffer.from([CERTIFICATES]), field(certificates)])
}

const MAGIC = Buffer.from('SSHKRL\n\0')
const FORMAT = 1
const CERTIFICATES = 1
const SERIAL_LIST = 0x20

/** Version of the list, when it was made, flags; then reserved and a comment. sshd looks at none of them. */
const UNUSED = [uint64(0n), uint64(0n), uint64(0n), field(''), field('')]
