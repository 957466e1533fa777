// A git host that an organization has connected, and how its API is spoken to.
import type { ConnectionType } from '@shipway/api/connections'
import type { Connection } from '../../../domain/connection.ts'
import type { HostCall } from '../api-dialect.ts'
import type { RenewableToken } from '../ask-with-token.ts'
import { HostRefused } from '../call-host.ts'
import { bitbucket } from './bitbucket.ts'
import { bitbucketDataCenter } from './bitbucket-data-center.ts'
import type { ConnectedDialect } from './connected-dialect.ts'
import { gitea } from './gitea.ts'
import { gitlab } from './gitlab.ts'

/** A connection, opened. */
export type ConnectedHost = RenewableToken & { readonly connection: Pick<Connection, 'type' | 'baseUrl'> }

/** Calls the API with the token of the connection. Rejects as `callHost` does. */
export type AskConnectedHost = (host: ConnectedHost, call: HostCall) => Promise<unknown>

export function dialectOf({ type }: Pick<Connection, 'type'>): ConnectedDialect {
  if (type === 'github_app') throw new Error('A GitHub App has no deploy keys and webhooks of repositories')
  return DIALECTS[type]
}

const DIALECTS: Readonly<Record<Exclude<ConnectionType, 'github_app'>, ConnectedDialect>> = {
  gitlab,
  gitea,
  forgejo: gitea,
  bitbucket,
  bitbucket_server: bitbucketDataCenter,
}

export const isRefusal = (error: unknown, status: number): boolean =>
  error instanceof HostRefused && error.status === status
