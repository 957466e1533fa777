// The command line of the system's ssh: without the user's own configuration, without trust on first use, and without forwarding.
import type { Certificate } from '@shipway/api'
import { CommandError } from '../command-error.ts'

/** Files in ssh's working folder, so that no path of this machine has to be quoted. The certificate is beside the key. */
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
  // A dead connection is noticed after two minutes.
  ServerAliveCountMax: '3',
  ServerAliveInterval: '30',
  StrictHostKeyChecking: 'yes',
  UpdateHostKeys: 'no',
  UserKnownHostsFile: SSH_FILES.knownHosts,
} as const

/** The words up to the host; the caller appends the remote command. `more` are options such as `-t`. */
export function sshWords({ connection }: Certificate, more: readonly string[] = []): readonly ['ssh', ...string[]] {
  const options = Object.entries(OPTIONS).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const { host, port, user } = connection
  if (!HOST.test(host) || !USER.test(user) || port < 1 || port > 65_535) throw StrangeConnection()
  return ['ssh', '-F', 'none', '-a', '-x', ...options, ...more, '-p', String(port), '-l', user, '--', host]
}

/** The platform chooses them, so they must not contain options, ssh tokens, URLs or shell syntax. */
const HOST = /^[A-Za-z0-9_:][A-Za-z0-9._:-]{0,252}$/
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

const StrangeConnection = (): CommandError =>
  new CommandError('The platform sent a host or user name that ssh cannot use', {
    code: 'strange_connection',
    advice: ['Check the address of the server: shipway servers check SERVER'],
  })
