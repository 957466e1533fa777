/**
 * The address of a repository: which spellings there are, what they say, and whether the platform may connect to it.
 *
 * Two questions are kept apart. The schema asks whether the text is an address that git can be given safely; it is the
 * same everywhere. `repositoryAddressFault` also asks whether the platform may go there, which depends on a setting of
 * the server. A name that passes can still resolve to a private address: the code that connects asks `mayConnectTo` again.
 */
import { z } from 'zod'
import { isUnder, normaliseLabels } from './hostname.ts'
import { canonicalIp } from './ip-address.ts'
import { mayReachHost } from './reachable-host.ts'
import { rule } from './rule.ts'

export const MAX_REPOSITORY_ADDRESS_LENGTH = 2000

const syntaxSentence =
  'Give https://host/path, ssh://git@host/path or git@host:path, without password, query or special characters'

/** Stored as given. */
export const RepositoryAddress = z.string().check(
  rule('too_long', `Use at most ${MAX_REPOSITORY_ADDRESS_LENGTH} characters`, isShort),
  rule('invalid_repo_url', syntaxSentence, (text) => parseRepositoryAddress(text) !== undefined),
)

export type RepositoryParts = {
  readonly protocol: 'https' | 'ssh'
  readonly user?: string
  /** In lower case; an IPv6 address without its brackets. */
  readonly host: string
  readonly port?: number
  /** From its first slash on; `git@host:path` has none, and is then relative to the user's home. */
  readonly path: string
}

/** The parts of an address, or undefined when the text is none. */
export function parseRepositoryAddress(text: string): RepositoryParts | undefined {
  if (!isShort(text)) return undefined
  const parts = parseUrl(text) ?? parseScp(text)
  return parts && isSafePath(parts.path) ? parts : undefined
}

/** Why this platform does not take the address. `allowedNetworks` holds networks, addresses and exact host names. */
export function repositoryAddressFault(
  text: string,
  { allowedNetworks }: { readonly allowedNetworks: readonly string[] },
): { code: 'invalid_repo_url' | 'network_not_allowed'; detail: string } | undefined {
  const parts = parseRepositoryAddress(text)
  if (!parts) return { code: 'invalid_repo_url', detail: syntaxSentence }
  if (mayReachHost(parts.host, allowedNetworks)) return undefined
  return {
    code: 'network_not_allowed',
    detail: 'This address is in a private network; an administrator can allow the network in SHIPWAY_ALLOWED_NETWORKS',
  }
}

/** Which software the git host is: gitea is Forgejo too, bitbucket is Cloud and Data Center. */
export const RepositoryHost = z.enum(['github', 'gitlab', 'gitea', 'bitbucket'])
export type RepositoryHost = z.infer<typeof RepositoryHost>

/** A guess from the host name, used if the project does not name its git host. */
export function repositoryHostOf(address: string): RepositoryHost {
  const host = parseRepositoryAddress(address)?.host ?? ''
  const labels = host.split('.')
  if (isUnder(host, 'bitbucket.org') || labels.includes('bitbucket')) return 'bitbucket'
  if (labels.includes('gitlab')) return 'gitlab'
  if (isUnder(host, 'codeberg.org') || labels.includes('gitea') || labels.includes('forgejo')) return 'gitea'
  return 'github'
}

const user = '[a-z_][a-z0-9_-]{0,31}'
const name = '[A-Za-z0-9.-]+'
const path = '[A-Za-z0-9._~/+@-]+'
const urlPattern = new RegExp(
  `^(https|ssh)://(?:(${user})@)?(?:(${name})|\\[([0-9a-f:.]+)\\])(?::([1-9][0-9]{0,4}))?(/${path})$`,
)
const scpPattern = new RegExp(`^(${user})@(${name}):(${path})$`)

function parseUrl(text: string): RepositoryParts | undefined {
  const [, protocol, user, name, ipv6, port, path] = urlPattern.exec(text) ?? []
  const host = name === undefined ? parseIpv6(ipv6 ?? '') : parseHost(name)
  if (host === undefined || path === undefined || Number(port ?? 1) > 65_535) return undefined
  const numbered = port === undefined ? {} : { port: Number(port) }
  // A user of https is a credential; ssh without one would be the platform's own user.
  if (protocol === 'https') return user === undefined ? { protocol, host, ...numbered, path } : undefined
  return user === undefined ? undefined : { protocol: 'ssh', user, host, ...numbered, path }
}

function parseScp(text: string): RepositoryParts | undefined {
  const [, user, name, path] = scpPattern.exec(text) ?? []
  const host = parseHost(name ?? '')
  return user && host && path ? { protocol: 'ssh', user, host, path } : undefined
}

/** An international name is given as xn-- here, since an address is stored as it is. */
function parseHost(name: string): string | undefined {
  return canonicalIp(name) ?? normaliseLabels(name)
}

function parseIpv6(text: string): string | undefined {
  return canonicalIp(text) === text ? text : undefined
}

function isSafePath(path: string): boolean {
  const segments = path.replace(/^\//, '').split('/')
  return segments.every((segment) => !['', '.', '..'].includes(segment) && !segment.startsWith('-'))
}

function isShort(text: string): boolean {
  return text.length <= MAX_REPOSITORY_ADDRESS_LENGTH
}
