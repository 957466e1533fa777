// Rules of projects.
import {
  MAX_REPOSITORY_ADDRESS_LENGTH,
  parseRepositoryAddress,
  type RepositoryHost,
} from '@shipway/api/values/repository-address'

/** Another host must not get the secrets that the previous one was trusted with. */
export function isOnAnotherHost(address: string, next: string): boolean {
  return parseRepositoryAddress(address)?.host !== parseRepositoryAddress(next)?.host
}

/**
 * Compares the addresses that a git host reports for a repository with the project's own:
 * `same`: one of them is the project's, by whatever protocol, and none is another;
 * `alike`: the path is the same and the host is not, as with an ssh alias, a mirror, or a name of the inner network;
 * `unsaid`: the git host reports none;
 * `other`: it is another repository.
 */
export function compareRepository(reported: readonly string[], own: string): 'same' | 'alike' | 'unsaid' | 'other' {
  if (reported.length === 0) return 'unsaid'
  const location = locationOf(own)
  const locations = reported.map(locationOf)
  const atHome = locations.filter(({ host }) => host === location.host)
  const isNamed = atHome.some(({ path }) => path === location.path)
  // One address beside the right one may have a prefix of its own: `/scm/key/app` by https is `key/app` by ssh.
  if (isNamed) return atHome.every(({ path }) => isSameEnd(path, location.path)) ? 'same' : 'other'
  const isAlike = atHome.length === 0 && locations.some(({ path }) => path === location.path)
  return isAlike ? 'alike' : 'other'
}

/**
 * Host and path of an address, in lower case and without protocol, user, port and `.git`. It also reads
 * addresses that the platform would not fetch from, such as those by http.
 */
function locationOf(address: string): { readonly host: string; readonly path: string } {
  const text = address.slice(0, MAX_REPOSITORY_ADDRESS_LENGTH)
  const [, bracketed, name, path] = URL_ADDRESS.exec(text) ?? SCP_ADDRESS.exec(text) ?? []
  return {
    host: (bracketed ?? name ?? '').toLowerCase(),
    path: (path ?? '')
      .toLowerCase()
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.git$/, ''),
  }
}

const HOST = '(?:[^@/]*@)?(?:\\[([^\\]]*)\\]|([^:/]*))'
const URL_ADDRESS = new RegExp(`^[a-z][a-z0-9+.-]*://${HOST}(?::[0-9]*)?/+(.*)$`, 'i')
const SCP_ADDRESS = new RegExp(`^${HOST}:/*(.*)$`)

const isSameEnd = (one: string, other: string): boolean =>
  `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`)

/** Where a git host keeps the newest commit of a pull request in the repository itself; null if it does not. */
export function pullRequestRef(host: RepositoryHost, number: number | '*'): string | null {
  if (host === 'bitbucket') return null
  return host === 'gitlab' ? `refs/merge-requests/${number}/head` : `refs/pull/${number}/head`
}

export function webhookUrl(baseUrl: string, hookId: string): string {
  return `${baseUrl}/api/webhooks/${hookId}`
}
