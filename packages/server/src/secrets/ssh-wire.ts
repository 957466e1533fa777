/** Encodes values for the SSH protocol (RFC 4251, section 5), and Ed25519 keys and fingerprints as OpenSSH prints them. */
import { createHash } from 'node:crypto'

/** The `string` of the protocol: its length, then its bytes. */
export function field(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([uint32(bytes.length), bytes])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

export const ed25519 = 'ssh-ed25519'

/** The encoded public key, from the 32 bytes of its point. */
export function ed25519Blob(point: Uint8Array): Buffer {
  return Buffer.concat([field(ed25519), field(point)])
}

/** `SHA256:…`, as ssh-keygen prints it. */
export function fingerprintOf(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`
}
