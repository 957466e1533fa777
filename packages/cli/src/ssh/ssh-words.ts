// The words that the system's ssh is called with. Nothing of the user's own configuration takes part, nothing is trusted at first use,
// and nothing is forwarded.
import type { Certificate } from '@shipway/api'
import { CommandError } from '../command-error.ts'

/** Files in the folder that ssh is started in: no path of this machine has to be quoted for ssh. The certificate lies beside the key. */
export const SSH_FILES = { key: 'key', certificate: 'key-cert.pub', knownHosts: 'known_hosts' } as const

const OPTIONS = {
  BatchMode: 'yes',
  CheckHostIP: 'no',
  ClearAllForwardings: 'yes',
  ConnectTimeout: '15',
  ControlPath: 'none',
  GlobalKnownHostsFile: 'none',
  IdentitiesOnly: 'yes',
  IdentityAgent: 'none',
  IdentityFile: SSH_FILES.key,
  CertificateFile: SSH_FILES.certificate,
  LogLevel: 'ERROR',
  PreferredAuthentications: 'publickey',
  // A connection that fell silent is noticed after two minutes.
  ServerAliveCountMax: '3',
  ServerAliveInterval: '30',
  StrictHostKeyChecking: 'yes',
  UpdateHostKeys: 'no',
  UserKnownHostsFile: SSH_FILES.knownHosts,
} as const

/** Up to the destination: what is to run there comes behind it. `more` are options such as `-t`. */
export function sshWords({ connection }: Certificate, more: readonly string[] = []): readonly ['ssh', ...string[]] {
  const options = Object.entries(OPTIONS).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const { host, port, user } = connection
  if (!HOST.test(host) || !USER.test(user) || port < 1 || port > 65_535) throw StrangeConnection()
  return ['ssh', '-F', 'none', '-a', '-x', ...options, ...more, '-p', String(port), '-l', user, '--', host]
}

/** The platform names them. Nothing of a name is an option, a token that ssh fills in, an address of a form of its own or shell. */
const HOST = /^[A-Za-z0-9_:][A-Za-z0-9._:-]{0,252}$/
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

const StrangeConnection = (): CommandError =>
  new CommandError('The platform named a server or a user that ssh cannot have', {
    code: 'strange_connection',
    advice: ['See what the platform has as its address: shipway server check SERVER'],
  })
