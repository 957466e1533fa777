// A connection of an organization to a git host, with its credentials as they are stored.
import type { ConnectionStatus, ConnectionType } from '@shipway/api/connections'

export type Connection = {
  readonly id: number
  readonly organizationId: number
  readonly type: ConnectionType
  readonly name: string
  /** Of the git host's pages, without a trailing slash. */
  readonly baseUrl: string
  /** Secrets are sealed to it. */
  readonly sealId: string
  readonly tokenSealed: string | null
  /** Whose token it is, or whom the App is installed for. */
  readonly account: string | null
  /** Null for other types, and until GitHub has made the App. */
  readonly app: ConnectedApp | null
  /** The opaque part of the App's webhook address; null for other types. */
  readonly hookId: string | null
  readonly status: ConnectionStatus
  readonly statusReason: string | null
  /** When the git host last confirmed the credentials. */
  readonly checkedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly projectCount: number
}

type ConnectedApp = {
  readonly id: number
  readonly slug: string
  readonly clientId: string | null
  readonly clientSecretSealed: string | null
  readonly privateKeySealed: string | null
  readonly webhookSecretSealed: string | null
  /** Null until it is installed. */
  readonly installationId: number | null
}

/** What git fetches a repository from over https. */
export const repositoryUrlOf = ({ baseUrl }: Pick<Connection, 'baseUrl'>, fullName: string): string =>
  `${baseUrl}/${fullName}.git`

/** Names of accounts at git hosts differ in more than case. */
export const isSameAccount = (one: string | undefined, other: string | null): boolean =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase()
