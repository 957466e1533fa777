// The words that OpenSSH's client is called with. Nothing of the user's or the machine's own configuration takes part.
import type { ServerAddress } from '../../domain/server-address.ts'

export type SshFiles = {
  readonly key: string
  readonly certificate: string
  readonly knownHosts: string
  /** The socket through which commands share one connection. */
  readonly control: string
}

type Way = {
  /** What is connected to, whatever the server's name leads to by then. */
  readonly address: string
  /** `accept-new` pins the key of a server that has none yet, `yes` takes that only. */
  readonly hostKeys: 'yes' | 'accept-new'
}

/** The options that every call has. */
export function sshOptions(server: ServerAddress, files: SshFiles, { address, hostKeys }: Way): string[] {
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
    // Ten seconds of silence, three questions without an answer: a dead connection is noticed after 40 seconds.
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

/** The content of the file of host keys. A server goes by its id there, so that its name and port play no part. */
export function knownHostsLine(server: ServerAddress, hostKey: string): string {
  const [type, key] = hostKey.split(' ')
  return `${hostKeyAlias(server)} ${type} ${key}\n`
}

/** The key that ssh has written into the file of host keys. */
export function readHostKey(server: ServerAddress, knownHosts: string): string | undefined {
  const line = knownHosts.split('\n').find((one) => one.startsWith(`${hostKeyAlias(server)} `))
  return line?.split(' ').slice(1, 3).join(' ')
}

const hostKeyAlias = ({ id }: ServerAddress): string => `server-${id}`
