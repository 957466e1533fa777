// The one place that decides which token the platform uses for a project's repository: of its connection, else of the project itself.
import type { Connection } from '../domain/connection.ts'
import { connectionContext, projectContext } from '../domain/encryption-context.ts'
import type { ProjectAtHost } from '../domain/repository/host-access.ts'
import type { Box } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import type { HostRepository } from './git-hosts.ts'

export type Credentials = ReturnType<typeof createCredentials>

type CredentialsOptions = { readonly box: Pick<Box, 'open'> }

export function createCredentials({ box }: CredentialsOptions) {
  return {
    /** Undefined if the connection has no credentials yet. */
    openConnection: async (connection: Connection): Promise<Secret | undefined> =>
      connection.tokenSealed === null
        ? undefined
        : box.open(connection.tokenSealed, connectionContext(connection.sealId, 'token_sealed')),

    /** The repository of a project as the API of its git host has it. Undefined if the platform has no token for that. */
    async openRepository(project: ProjectAtHost): Promise<HostRepository | undefined> {
      const { connection, hostTokenSealed, hookId } = project
      const repository = { host: project.repositoryHost, address: project.repoUrl }
      if (connection) {
        const token = await this.openConnection(connection)
        return token && { ...repository, token, connection }
      }
      if (hostTokenSealed === null) return undefined
      return { ...repository, token: box.open(hostTokenSealed, projectContext(hookId, 'host_token_sealed')) }
    },
  }
}
