// The platform's identity on servers: a key that lives as long as the process, and certificates that live ten minutes.
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
  /** The certificate for a server, which `renew` writes. */
  certificateFile(server: ServerAddress): string
  /** Call it before each use: it replaces a certificate that expires within five minutes. */
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
        // Only this principal: a certificate that named the user would be valid on every machine with a user of that name.
        principals: [server.principal],
        keyId: `shipway:server=${server.id}`,
        validForMs,
      })
      // Replaces the file by a rename, since git may be reading the previous one.
      writeFileSync(`${file}.new`, `${line}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
      validUntil.set(file, validBefore.getTime())
    },
  }
}

const validForMs = 10 * 60 * 1000
