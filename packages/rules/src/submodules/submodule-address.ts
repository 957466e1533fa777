/**
 * Where a submodule is read from. Only the git host of the project is used: a commit must not decide which machines the platform connects
 * to, nor who gets the project's key or token.
 */
import { parseRepositoryAddress, type RepositoryParts } from '@shipway/api/values/repository-address'
import { isRelative } from './read-submodules.ts'

type SubmoduleToFind = {
  readonly url: string
  /** The address of the repository that names it. */
  readonly parent: string
  /** The address of the project's repository. */
  readonly project: string
  /** Read without the key and the tokens of the project: by https alone. */
  readonly isAnonymous: boolean
}

/** `withCredentials`: the key or the tokens of the project are used. */
export type SubmoduleAddress =
  | { readonly address: string; readonly withCredentials: boolean; readonly fault?: undefined }
  | { readonly fault: string }

export function findSubmoduleAddress({ url, parent, project, isAnonymous }: SubmoduleToFind): SubmoduleAddress {
  const text = isRelative(url) ? resolveRelative(url, parent) : url
  const [own, parts] = [parseRepositoryAddress(project), text === undefined ? undefined : parseRepositoryAddress(text)]
  if (!own || !parts) return { fault: `${url} leads out of ${parent}. ${ADVICE}` }
  if (parts.host !== own.host) return { fault: `${url} is not at ${own.host}, the git host of the project. ${ADVICE}` }
  if (isAnonymous) return { address: httpsAddress(parts, own), withCredentials: false }
  if (own.protocol === 'https') {
    if (parts.protocol === 'ssh') return { address: httpsAddress(parts, own), withCredentials: true }
    return parts.port === own.port ? { address: addressOf(parts), withCredentials: true } : { fault: otherPort(url) }
  }
  if (parts.protocol === 'https')
    return parts.port === undefined ? { address: addressOf(parts), withCredentials: false } : { fault: otherPort(url) }
  return parts.port === own.port && parts.user === own.user
    ? { address: addressOf(parts), withCredentials: true }
    : { fault: otherPort(url) }
}

const ADVICE =
  'Use a repository there, add the files to the repository itself, or write update = none into .gitmodules to leave the folder empty'

const otherPort = (url: string): string =>
  `${url} has another port or user than the repository of the project. ${ADVICE}`

/** Undefined if it would leave the host. */
function resolveRelative(url: string, parent: string): string | undefined {
  const base = parseRepositoryAddress(parent)
  if (!base) return undefined
  const folders = base.path.split('/').filter(Boolean)
  for (const part of url.split('/')) {
    if (part === '.' || part === '') continue
    if (part !== '..') folders.push(part)
    else if (folders.pop() === undefined) return undefined
  }
  if (folders.length === 0) return undefined
  return addressOf({ ...base, path: `${base.path.startsWith('/') ? '/' : ''}${folders.join('/')}` })
}

const addressOf = ({ protocol, user, host, port, path }: RepositoryParts): string =>
  path.startsWith('/')
    ? `${protocol}://${user === undefined ? '' : `${user}@`}${bracketed(host)}${port === undefined ? '' : `:${port}`}${path}`
    : `${user}@${host}:${path}`

/** The path of a repository is the same by ssh and https on all git hosts that we know. */
function httpsAddress({ path, host }: RepositoryParts, own: RepositoryParts): string {
  const port = own.protocol === 'https' && own.port !== undefined ? { port: own.port } : {}
  return addressOf({ protocol: 'https', host, ...port, path: path.startsWith('/') ? path : `/${path}` })
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
