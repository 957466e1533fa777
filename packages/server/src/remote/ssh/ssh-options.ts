// Arguments of OpenSSH's client. It reads no configuration of the user or the machine.
import type { ServerAddress } from '../../domain/server-address.ts'

export type SshFiles = {
  readonly key: string
  readonly certificate: string
  readonly knownHosts: string
  /** Control socket of the shared connection. */
  readonly control: string
}

type ConnectionTarget = {
  /** The checked address to connect to; ssh does not resolve the server's name. */
  readonly address: string
  /** `accept-new` pins the key of a server that has none yet, `yes` accepts only the pinned key. */
  readonly hostKeys: 'yes' | 'accept-new'
}

/** Options of every call. */
export function sshOptions(server: ServerAddress, files: SshFiles, { address, hostKeys }: ConnectionTarget): string[] {
  const options = {
    BatchMode: 'yes',
    CheckHostIP: 'no',
    CertificateFile: files.certificate,
    ClearAllForwardings: 'yes',
    ConnectTimeout: '10',
    ControlPath: files.control,
    EscapeChar: 'none',
    GlobalKnownHostsFile: 'none',
    HashKnownHosts: 'no',
    HostKeyAlias: hostKeyAlias(server),
    HostName: address,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: files.key,
    LogLevel: 'ERROR',
    PreferredAuthentications: 'publickey',
    // Ten seconds of silence, then three unanswered keepalives: a dead connection is noticed after 40 seconds.
    ServerAliveCountMax: '3',
    ServerAliveInterval: '10',
    StrictHostKeyChecking: hostKeys,
    UpdateHostKeys: 'no',
    UserKnownHostsFile: files.knownHosts,
  }
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return ['-F', 'none', '-T', '-a', '-x', ...words]
}

export function destination({ port, unixUser, hostname }: ServerAddress): string[] {
  return ['-p', String(port), '-l', unixUser, '--', hostname]
}

/** Content of the known_hosts file. It names a server by its id, so that its hostname and port do not matter. */
export function knownHostsLine(server: ServerAddress, hostKey: string): string {
  const [type, key] = hostKey.split(' ')
  return `${hostKeyAlias(server)} ${type} ${key}\n`
}

/** The key that ssh has written to the known_hosts file. */
export function readHostKey(server: ServerAddress, knownHosts: string): string | undefined {
  const line = knownHosts.split('\n').find((one) => one.startsWith(`${hostKeyAlias(server)} `))
  return line?.split(' ').slice(1, 3).join(' ')
}

const hostKeyAlias = ({ id }: ServerAddress): string => `server-${id}`
