// What the records hold about the way to a project's repository at its git host.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Connection } from '../connection.ts'

export type ProjectAtHost = {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  readonly hookId: string
  readonly repoUrl: string
  readonly repositoryHost: RepositoryHost
  readonly publicKey: string
  readonly privateKeySealed: string
  readonly repositoryHostKey: string | null
  readonly defaultBranch: string
  /** The git host's own id for the repository; null until it is known. */
  readonly externalId: string | null
  readonly webhookSecretSealed: string
  /** Of the project itself; a connection counts first. */
  readonly hostTokenSealed: string | null
  readonly connection: Connection | null
}
