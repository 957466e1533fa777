// What is asked of a project's facts.
import { parseRepositoryAddress, type RepositoryHost } from '@shipway/api/values/repository-address'

/** Another host is somebody else: what the earlier one was trusted with is nothing for it. */
export function isOnAnotherHost(address: string, next: string): boolean {
  return parseRepositoryAddress(address)?.host !== parseRepositoryAddress(next)?.host
}

/** Whether two addresses lead to one repository, whatever way they take. */
export function isSameRepository(one: string, other: string): boolean {
  const [first, second] = [placeOf(one), placeOf(other)]
  return first !== undefined && first === second
}

function placeOf(address: string): string | undefined {
  const parts = parseRepositoryAddress(address)
  return parts && `${parts.host}/${parts.path.replace(/^\//, '').replace(/\.git$/, '')}`.toLowerCase()
}

/** Where a git host keeps the newest commit of a pull request in the repository itself; null where it does not. */
export function pullRequestRef(host: RepositoryHost, number: number | '*'): string | null {
  if (host === 'bitbucket') return null
  return host === 'gitlab' ? `refs/merge-requests/${number}/head` : `refs/pull/${number}/head`
}

export function webhookUrl(baseUrl: string, hookId: string): string {
  return `${baseUrl}/api/webhooks/${hookId}`
}
