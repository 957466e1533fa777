// Writes the list of revoked certificates that sshd on a server must refuse.
import { loadScript, shell } from '../../commands/script.ts'
import { ask } from '../ask.ts'
import type { Host } from '../host.ts'
import { encodeRevocationList, type Revoked } from './revocation-list.ts'

/** `folder` is the platform's, below the home of its user. Idempotent. Open connections stay. */
export async function writeRevocations(host: Host, folder: string, revoked: Revoked): Promise<void> {
  const bytes = encodeRevocationList(revoked)
  const input = Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
  const question = { command: shell(script, 'shipway-revoke', folder), input }
  await ask(host, question, `What is revoked could not be written on ${host.name}`)
}

const script = loadScript(import.meta.url, 'write-revocations')
