// What the records hold about the way to a project's repository at its git host.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Connection } from '../connection.ts'

export type ProjectAtHost = {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  /** Another project of the organization has the same repository. */
  readonly sharesRepository: boolean
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

/**
 * What an environment of the project is called at its git host, in checks and deployments. Two projects of one repository have environments
 * with the same names: without the project's name, one would replace the reports of the other, and end its deployments.
 */
export const nameAtHost = (project: Pick<ProjectAtHost, 'name' | 'sharesRepository'>, environment: string): string =>
  project.sharesRepository ? `${environment} (${project.name})` : environment
