// An ssh certificate that lets a user sign in to a server, as JSON.
import type { Certificate } from '@shipway/api/ssh-access'
import type { IssuedCertificate } from '../../operations/access/issue-ssh-certificate.ts'
import { presentTime } from './time.ts'

export function presentSshCertificate(issued: IssuedCertificate): Certificate {
  const { terms, server, hostKey } = issued
  return {
    certificate: issued.line,
    serial: String(terms.serial),
    key_id: terms.keyId,
    principals: [...terms.principals],
    valid_after: presentTime(terms.validAfter * 1000),
    valid_before: presentTime(terms.validBefore * 1000),
    critical_options: { ...terms.criticalOptions },
    extensions: [...terms.extensions],
    ca_fingerprint: issued.authorityFingerprint,
    connection: { host: server.hostname, port: server.port, user: server.unixUser },
    host_keys: [hostKey],
    known_hosts: `${nameInKnownHosts(server)} ${hostKey}\n`,
    folder: issued.folder,
  }
}

/** As ssh looks for it: with the port, unless that is the usual one. */
const nameInKnownHosts = ({ hostname, port }: { readonly hostname: string; readonly port: number }): string =>
  port === 22 ? hostname : `[${hostname}]:${port}`
