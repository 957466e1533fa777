/**
 * Writes a key revocation list as sshd reads it (PROTOCOL.krl of OpenSSH): certificates of one authority, by serial. It does not revoke
 * keys: the holder chooses the key of a certificate, so revoking the key could lock out another user who has certified the same one.
 */
import { field, uint32, uint64 } from '../../secrets/ssh-wire.ts'

export type Revoked = {
  /** Public key of the authority, `ssh-ed25519 AAAA…`. */
  readonly authorityKey: string
  readonly serials: readonly number[]
}

/** An empty file is a valid list that revokes nothing. */
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

/** Version, creation time, flags, a reserved field and a comment. sshd ignores all of them. */
const UNUSED = [uint64(0n), uint64(0n), uint64(0n), field(''), field('')]
