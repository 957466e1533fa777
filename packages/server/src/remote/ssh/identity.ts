// How the platform signs in to servers: a key that lives as long as the process, certificates that live ten minutes.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerAddress } from '../../domain/server-address.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import type { SshAuthority } from './ssh-authority.ts'

export type Identity = {
  /** `ssh-ed25519 AAAA…`, without a comment. */
  readonly publicKey: string
  /** The file of the private key. */
  readonly keyFile: string
  /** Where the certificate for a server lies, which `renew` writes. */
  certificateFile(server: ServerAddress): string
  /** Call it before each use: a certificate that ends within five minutes is replaced. */
  renew(server: ServerAddress): void
}

export function createIdentity(folder: string, authority: Pick<SshAuthority, 'certify'>): Identity {
  const key = generateSshKey('shipway')
  const keyFile = join(folder, 'key')
  const validUntil = new Map<string, number>()
  const certificateFile = ({ principal }: ServerAddress): string => join(folder, `cert-${principal}`)
  writeFileSync(keyFile, key.privateKey.reveal(), { mode: 0o600 })
  return {
    publicKey: key.publicKey.split(' ').slice(0, 2).join(' '),
    keyFile,
    certificateFile,
    renew: (server) => {
      const file = certificateFile(server)
      if ((validUntil.get(file) ?? 0) - Date.now() > validForMs / 2) return
      const { line, validBefore } = authority.certify({
        publicKey: key.publicKey,
        // Nothing else: one that named the user would be let in wherever a user of that name is.
        principals: [server.principal],
        keyId: `shipway:server=${server.id}`,
        validForMs,
      })
      // By rename, since git may be reading the one before.
      writeFileSync(`${file}.new`, `${line}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
      validUntil.set(file, validBefore.getTime())
    },
  }
}

const validForMs = 10 * 60 * 1000
