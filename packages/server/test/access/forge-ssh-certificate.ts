// Forged certificates: every field as a test wants it, signed with a real key.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Secret } from '../../src/secrets/secret.ts'
import { ed25519, ed25519Blob, field, uint32, uint64 } from '../../src/secrets/ssh-wire.ts'

export type Forged = {
  /** `ssh-ed25519 AAAA…` */
  readonly publicKey: string
  readonly principals: readonly string[]
  readonly serial?: number
  readonly isHost?: boolean
  /** Seconds from now. */
  readonly from?: number
  readonly until?: number
  readonly criticalOptions?: Readonly<Record<string, string>>
  readonly extensions?: readonly string[]
}

/** Signed by an authority, whose private key it takes. */
export function forgeSshCertificate(privateKey: Secret, forged: Forged): string {
  const key = createPrivateKey(privateKey.reveal())
  const type = 'ssh-ed25519-cert-v01@openssh.com'
  const blob = Buffer.from(forged.publicKey.split(' ')[1] ?? '', 'base64')
  const now = Math.floor(Date.now() / 1000)
  const body = Buffer.concat([
    field(type),
    field(Buffer.alloc(32, 7)),
    blob.subarray(field(ed25519).length),
    uint64(BigInt(forged.serial ?? 1)),
    uint32(forged.isHost ? 2 : 1),
    field('forged'),
    field(Buffer.concat(forged.principals.map(field))),
    uint64(BigInt(now + (forged.from ?? -60))),
    uint64(BigInt(now + (forged.until ?? 300))),
    field(named(forged.criticalOptions ?? {})),
    field(named(Object.fromEntries((forged.extensions ?? []).map((name) => [name, ''])))),
    field(''),
    field(ed25519Blob(pointOf(key))),
  ])
  const signature = Buffer.concat([field(ed25519), field(sign(null, body, key))])
  return `${type} ${Buffer.concat([body, field(signature)]).toString('base64')}`
}

const pointOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)

const named = (values: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(values)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, value]) => [field(name), field(value === '' ? '' : field(value))]),
  )
