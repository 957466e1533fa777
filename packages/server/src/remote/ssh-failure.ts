// What ssh's words mean when it did not connect. They are all it gives: the exit code is always 255.
import { type ServerAddress, ServerUnreachable } from './host.ts'

export function connectFailure(server: ServerAddress, stderr: string): ServerUnreachable {
  const where = `${server.name} (${server.unixUser}@${server.hostname}, port ${server.port})`
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr))
    return new ServerUnreachable(
      'host_key',
      `The server ${where} showed another host key than the one that is pinned. Nothing was sent to it. If the ` +
        'machine was set up anew, compare its key and set it as the host key of the server; if not, find out who is ' +
        'answering.',
    )
  if (/Permission denied|Too many authentication failures/.test(stderr))
    return new ServerUnreachable(
      'auth',
      `The server ${where} did not accept the platform's certificate. Check that its TrustedUserCAKeys holds the ` +
        "platform's public key, that the user exists and is not locked, and that the server's clock is right.",
    )
  return new ServerUnreachable(
    'connect',
    `The server ${where} could not be reached: ${lastLine(stderr) ?? 'ssh ended without a word'}. Check the address, ` +
      'the port and the firewall, and that sshd is running.',
  )
}

export function noAnswer(server: ServerAddress, seconds: number): ServerUnreachable {
  return connectFailure(server, `no connection within ${seconds} seconds`)
}

/** The certificate was accepted, but no command can run: the account has no shell, or sshd allows no session. */
export function noShell(server: ServerAddress, stderr: string): ServerUnreachable {
  const said = lastLine(stderr)
  return new ServerUnreachable(
    'auth',
    `The server ${server.name} accepted the sign-in as ${server.unixUser}, but runs no commands` +
      `${said === undefined ? '' : ` (${said})`}. Give the user a POSIX shell, and allow ten sessions per connection ` +
      '(MaxSessions) in its sshd_config.',
  )
}

/** Connected, but session after session was refused. */
export function noSession(server: ServerAddress): ServerUnreachable {
  return noShell(server, 'sshd refused another session')
}

/** What a server says may hold anything: one line of it, of bounded length, without control characters. */
function lastLine(text: string): string | undefined {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/\p{C}/gu, '').trim())
  return lines
    .findLast((line) => line !== '')
    ?.slice(0, 200)
    .replace(/\.$/, '')
}
