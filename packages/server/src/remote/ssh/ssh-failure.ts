// Explains ssh's messages when it did not connect. There is nothing else to go by: the exit code is always 255. An address that the
// platform has never signed in to may be any machine: by registering addresses, a user could find out what listens where. So every failure
// there gives the same sentence, with ssh's message as its cause.
import type { ServerAddress } from '../../domain/server-address.ts'
import { ServerUnreachable } from '../host.ts'
import { lastLine } from '../last-line.ts'

export function connectFailure(server: ServerAddress, stderr: string, options?: { cause: unknown }): ServerUnreachable {
  const where = whereIs(server)
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr))
    return new ServerUnreachable(
      'host_key',
      `The server ${where} showed another host key than the one that is pinned. Nothing was sent to it. If the ` +
        'machine was reinstalled, compare its key and set it as the host key of the server; if not, find out who is ' +
        'answering.',
    )
  if (/Permission denied|Too many authentication failures/.test(stderr))
    return new ServerUnreachable(
      'auth',
      `The server ${where} did not accept the platform's certificate. Run its set-up line on the machine again ` +
        "(setup_command of the server): sshd must trust the platform's public key (TrustedUserCAKeys) and let in the " +
        "server's principal. See that the user exists and is not locked, and that the machine's clock is right.",
    )
  return new ServerUnreachable(
    'connect',
    `The server ${where} could not be reached: ${messageIn(stderr) ?? 'ssh ended without a word'}. Check the address, ` +
      'the port and the firewall, and that sshd is running.',
    options,
  )
}

export function noAnswer(server: ServerAddress, seconds: number): ServerUnreachable {
  return connectFailure(server, `no connection within ${seconds} seconds`)
}

/** The sentence for every failure at a server that the platform has not signed in to yet. */
export function notSignedInYet(server: ServerAddress, cause: ServerUnreachable): ServerUnreachable {
  return new ServerUnreachable(
    'auth',
    `The platform has not signed in to the server ${whereIs(server)} yet. Run its set-up line on the machine ` +
      '(setup_command of the server); one that was set up before servers had principals of their own needs it once more. ' +
      'Check the address, the port, the host key if one was given, and the firewall, and that sshd is running. A server ' +
      'in a private network gets its address from a platform administrator.',
    { cause },
  )
}

/** The machine accepted the platform but belongs to another organization, which is not named. */
export function foreignMachine(server: ServerAddress): ServerUnreachable {
  return new ServerUnreachable(
    'host_key',
    `The machine at ${whereIs(server)} has the host key of a machine that another organization uses here, so nothing ` +
      'was run on it. If it is yours alone, make new host keys on it (rm /etc/ssh/ssh_host_*, then ssh-keygen -A), ' +
      'restart its sshd and try again.',
  )
}

export function changedMeanwhile(server: ServerAddress): ServerUnreachable {
  return new ServerUnreachable(
    'connect',
    `The record of the server ${server.name} was changed while the platform connected to it. Try again.`,
  )
}

/** The server accepted the certificate, but runs no command: the account has no shell, or sshd allows no session. */
export class NoShell extends ServerUnreachable {}

export function noShell(server: ServerAddress, stderr: string): NoShell {
  const said = messageIn(stderr)
  return new NoShell(
    'auth',
    `The server ${server.name} accepted the sign-in as ${server.unixUser}, but runs no commands` +
      `${said === undefined ? '' : ` (${said})`}. Give the user a POSIX shell, and allow ten sessions per connection ` +
      '(MaxSessions) in its sshd_config.',
  )
}

/** Connected, but sshd refused every session. */
export function noSession(server: ServerAddress): ServerUnreachable {
  return noShell(server, 'sshd refused another session')
}

const whereIs = ({ name, unixUser, hostname, port }: ServerAddress): string =>
  `${name} (${unixUser}@${hostname}, port ${port})`

/** One line of the server's message, of limited length and without control characters. */
function messageIn(stderr: string): string | undefined {
  const line = lastLine(stderr.replaceAll('\r', '\n').replaceAll(/[^\P{C}\n]/gu, ''))
  return line === '' ? undefined : line.slice(0, 200).replace(/\.$/, '')
}
