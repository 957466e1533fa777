// A real sshd that lets in people as a machine does on which the line was run: for servers of tests whose home is a folder of the test.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sshd, startSshd } from '../sshd.ts'

type ForPeople = {
  /** Commands begin in it. */
  readonly home: string
  readonly installationId: string
  /** Such as the DOCKER_HOST of an engine. With it, commands of certificates begin in the home as well. */
  readonly environment?: Readonly<Record<string, string>>
  /** Of the server's record. */
  readonly principal: string
  /** The platform's, and that of the people. */
  readonly authorityKey: string
  readonly peopleKey: string
  /** Nothing of the people where the machine was set up by an earlier version. */
  readonly isEarlier?: boolean
}

export async function startSshdForPeople(server: ForPeople): Promise<Sshd> {
  const { home, environment, principal, authorityKey, peopleKey } = server
  const access = join(home, '.shipway', server.installationId, 'access')
  if (server.isEarlier) return startSshd({ authorityKey, principals: [principal], server: { home } })
  const principals = [principal, `restrict ${principal}-logs`, `restrict,pty ${principal}-shell`]
  mkdirSync(access, { recursive: true })
  writeFileSync(join(access, 'revoked'), '')
  writeFileSync(join(access, 'trusted'), [authorityKey, peopleKey, ...principals, ''].join('\n'))
  return startSshd({
    authorityKey: `${authorityKey}\n${peopleKey}`,
    principals,
    settings: [`RevokedKeys ${access}/revoked`, ...GENEROUS],
    server: environment ? { home, environment, isMounted: true } : { home },
  })
}

/** What Debian's sshd allows, and more: so it is the certificate or its principal that refuses. */
const GENEROUS = ['X11Forwarding yes', 'XAuthLocation /bin/true', 'PermitTunnel yes', 'AcceptEnv LANG LC_*']
