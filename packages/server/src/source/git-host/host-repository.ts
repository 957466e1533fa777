// A repository at a git host: which API it has, and where.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import type { Connection } from '../../domain/connection.ts'
import { apiBaseOf } from './api-base.ts'
import type { ApiDialect, HostCall } from './api-dialect.ts'
import type { RenewableToken } from './ask-with-token.ts'
import { bitbucket, isBitbucketCloud } from './bitbucket.ts'
import { bitbucketDataCenter } from './bitbucket-data-center.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

export type HostRepository = RenewableToken & {
  readonly host: RepositoryHost
  /** Address of the repository in the project's record. */
  readonly address: string
  /** Says where the API is; without one the address of the repository does. */
  readonly connection?: Pick<Connection, 'type' | 'baseUrl'> & Partial<Pick<Connection, 'app'>>
}

/** Calls the API of the repository's host, with its token. */
export type AskHost = (repository: HostRepository, call: HostCall, signal?: AbortSignal) => Promise<unknown>

/** Only an App may write check runs. */
export const isOfApp = ({ connection }: HostRepository): boolean => connection?.type === 'github_app'

/** Base of a git host's API: only at the repository's own host, or where that host is known to have it. */
export const baseOf = (repository: Pick<HostRepository, 'host' | 'address' | 'connection'>): string =>
  repository.connection
    ? apiBaseOf(repository.connection)
    : dialectOf(repository).baseOf(hostOf(repository), pathOf(repository))

/** Bitbucket Data Center shares its name and webhooks with Bitbucket Cloud, but has another API. */
export function dialectOf(repository: Pick<HostRepository, 'host' | 'address' | 'connection'>): ApiDialect {
  if (repository.connection?.type === 'bitbucket_server') return bitbucketDataCenter
  if (repository.host !== 'bitbucket' || isBitbucketCloud(hostOf(repository))) return DIALECTS[repository.host]
  return bitbucketDataCenter
}

const DIALECTS: Readonly<Record<RepositoryHost, ApiDialect>> = { github, gitlab, gitea, bitbucket }

/** As in a URL. The port of https also applies to the API, the port of ssh does not. */
export function hostOf({ address }: Pick<HostRepository, 'address'>): string {
  const { host = '', port, protocol } = parseRepositoryAddress(address) ?? {}
  const name = host.includes(':') ? `[${host}]` : host
  return protocol === 'https' && port ? `${name}:${port}` : name
}

/** `owner/name`, or more levels if the host has groups. */
export function pathOf({ address }: Pick<HostRepository, 'address'>): string {
  return (parseRepositoryAddress(address)?.path ?? '').replace(/^\//, '').replace(/\.git$/, '')
}
