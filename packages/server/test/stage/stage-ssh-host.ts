// A host of a describe block that is reached over ssh: a real sshd that trusts the authority, and a folder that goes with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createHosts } from '../../src/remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../../src/remote/ssh/ssh-authority.ts'
import { loopbackServers, startSshd } from '../sshd.ts'
import { builtBeforeAll } from './built-before.ts'

export function stageSshHost() {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const authority = createSshAuthority(generateSshAuthorityKey())
  const sshd = builtBeforeAll(() => startSshd({ authorityKey: authority.publicKey }))
  const hosts = builtBeforeAll(async () => createHosts({ folder, authority, ...loopbackServers }))
  const host = builtBeforeAll(async () => hosts.of(sshd.address({ hostKey: sshd.hostKey })))
  afterAll(async () => {
    await hosts.close?.()
    await sshd.stop?.()
    rmSync(folder, { recursive: true })
  })
  return { folder, authority, sshd, host }
}
