// Addresses of commits and branches on the git host, derived from the address of the repository.
import { type Project, parseRepositoryAddress, type RepositoryHost } from '@shipway/api'

type Repository = Pick<Project, 'repo_url' | 'repository_host'>

/** Undefined if the address is not one of a git host. */
export function repositoryUrl({ repo_url, repository_host }: Repository): string | undefined {
  const parts = parseRepositoryAddress(repo_url)
  if (parts === undefined) return undefined
  const host = parts.host.includes(':') ? `[${parts.host}]` : parts.host
  // The port of ssh says nothing about that of the pages.
  const port = parts.protocol === 'https' && parts.port !== undefined ? `:${parts.port}` : ''
  const path = parts.path.replace(/^\/+/, '').replace(/(?<!\/)\/*\.git$/, '')
  return `https://${host}${port}/${isDataCenter(parts.host, repository_host) ? dataCenterPath(path) : path}`
}

export function commitUrl(repository: Repository, sha: string): string | undefined {
  const page = repositoryUrl(repository)
  return page && `${page}/${COMMITS[repository.repository_host]}/${sha}`
}

export function branchUrl(repository: Repository, branch: string): string | undefined {
  const page = repositoryUrl(repository)
  if (page === undefined) return undefined
  const host = parseRepositoryAddress(repository.repo_url)?.host ?? ''
  if (isDataCenter(host, repository.repository_host)) {
    return `${page}/browse?at=${encodeURIComponent(`refs/heads/${branch}`)}`
  }
  return `${page}/${BRANCHES[repository.repository_host]}/${branch.split('/').map(encodeURIComponent).join('/')}`
}

export function pullRequestUrl(repository: Repository, number: number): string | undefined {
  const page = repositoryUrl(repository)
  return page && `${page}/${PULL_REQUESTS[repository.repository_host]}/${number}`
}

const PULL_REQUESTS: Readonly<Record<RepositoryHost, string>> = {
  github: 'pull',
  gitlab: '-/merge_requests',
  gitea: 'pulls',
  bitbucket: 'pull-requests',
}

const COMMITS: Readonly<Record<RepositoryHost, string>> = {
  github: 'commit',
  gitlab: '-/commit',
  gitea: 'commit',
  bitbucket: 'commits',
}

const BRANCHES: Readonly<Record<RepositoryHost, string>> = {
  github: 'tree',
  gitlab: '-/tree',
  gitea: 'src/branch',
  bitbucket: 'branch',
}

const isDataCenter = (host: string, software: RepositoryHost): boolean =>
  software === 'bitbucket' && host !== 'bitbucket.org'

/** `scm/PROJECT/name` over https and `PROJECT/name` over ssh; `~user` for personal repositories. */
function dataCenterPath(path: string): string {
  const parts = path.split('/')
  const [owner = '', name = ''] = parts.slice(-2)
  if (owner === '' || name === '') return path
  const before = parts.slice(0, parts.at(-3) === 'scm' ? -3 : -2)
  const group = owner.startsWith('~') ? ['users', owner.slice(1)] : ['projects', owner]
  return [...before, ...group, 'repos', name].join('/')
}
