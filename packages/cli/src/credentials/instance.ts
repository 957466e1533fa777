// The address of a platform, in the one spelling that credentials are kept under.
import { CommandError, UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'

/** `ship.example.com` is taken as https, but for this machine itself. */
export function readInstance(text: string): string {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `${isLoopback(text) ? 'http' : 'https'}://${text}`)
  if (!url || url.hostname === '' || /\s|^(?!https?:)[a-z]+:\/\//i.test(text)) {
    throw UsageError(`${plainText(text)} is not a platform address`, 'Give one such as https://ship.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError('The address holds a user name or a password', {
      code: 'usage',
      exitCode: 2,
      advice: ['Leave them out, and sign in: shipway login'],
    })
  }
  return url.origin
}

/** The same origin, or two loopback names of this machine with the same port. */
export function isSamePlatform(instance: string, { protocol, hostname, port, origin }: URL): boolean {
  const known = new URL(instance)
  if (origin === known.origin) return true
  const isHere = LOOPBACK_NAMES.includes(hostname) && LOOPBACK_NAMES.includes(known.hostname)
  return isHere && protocol === known.protocol && port === known.port
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Others on the network can read the traffic. */
export const isUnencrypted = (instance: string): boolean =>
  instance.startsWith('http://') && !isLoopback(new URL(instance).host)

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|[^/:]+\.localhost)(:|\/|$)/i.test(host)
