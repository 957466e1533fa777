// The one place that decides which token the platform uses for a project's repository: of its connection, else of the project itself.
import type { Connection } from '../domain/connection.ts'
import { connectionContext, projectContext } from '../domain/encryption-context.ts'
import type { ProjectAtHost } from '../domain/repository/host-access.ts'
import type { Box } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import type { HostRepository } from './git-host/host-repository.ts'
import type { GitHubApp, InstalledApp } from './github-app/github-app.ts'
import type { GitHubApps } from './github-app/github-apps.ts'
import { repositoryTokensOf } from './github-app/repository-tokens-of.ts'
import type { RepositoryTokens } from './repository-tokens.ts'
import { SourceError } from './source-error.ts'

export type Credentials = ReturnType<typeof createCredentials>

type CredentialsOptions = {
  readonly box: Pick<Box, 'open'>
  readonly apps: Pick<GitHubApps, 'findToken' | 'findGitToken' | 'refuseToken'>
}

export function createCredentials({ box, apps }: CredentialsOptions) {
  /** Undefined until GitHub has made the App. */
  const openApp = ({ id, sealId, baseUrl, app }: Connection): GitHubApp | undefined => {
    const sealed = app?.privateKeySealed
    if (!app || sealed == null) return undefined
    const openKey = (): Secret => box.open(sealed, connectionContext(sealId, 'private_key_sealed'))
    return { connectionId: id, baseUrl, appId: app.id, openKey }
  }

  /** Undefined until the App is installed. */
  const openInstalledApp = (connection: Connection): InstalledApp | undefined => {
    const app = openApp(connection)
    const installationId = connection.app?.installationId ?? null
    return app && installationId !== null ? { ...app, installationId } : undefined
  }

  /** Undefined if the connection has no credentials yet. */
  const openConnection = async (connection: Connection): Promise<Secret | undefined> => {
    const app = openInstalledApp(connection)
    if (app) return apps.findToken(app)
    if (connection.tokenSealed === null) return undefined
    return box.open(connection.tokenSealed, connectionContext(connection.sealId, 'token_sealed'))
  }

  return {
    openApp,
    openInstalledApp,
    openConnection,
    renewalOf,

    /** The repository of a project as the API of its git host has it. Undefined if the platform has no token for that. */
    async openRepository(project: ProjectAtHost): Promise<HostRepository | undefined> {
      const { connection, hostTokenSealed, hookId } = project
      const repository = { host: project.repositoryHost, address: project.repoUrl }
      if (connection) {
        const token = await openConnection(connection)
        return token && { ...repository, token, connection, renew: renewalOf(connection) }
      }
      if (hostTokenSealed === null) return undefined
      return { ...repository, token: box.open(hostTokenSealed, projectContext(hookId, 'host_token_sealed')) }
    },

    /** Tokens for git over https, of a project whose connection is a GitHub App; others read with the project's key. */
    openTokens(connection: Connection | null): RepositoryTokens | undefined {
      if (connection?.type !== 'github_app') return undefined
      const app = openInstalledApp(connection)
      return app ? repositoryTokensOf(apps, app) : notInstalled(connection)
    },
  }

  /** The git host refused a token of the App: it is replaced once. */
  function renewalOf(connection: Connection): HostRepository['renew'] {
    const app = openInstalledApp(connection)
    if (!app) return undefined
    return async (token) => {
      await apps.refuseToken(app, token)
      return apps.findToken(app)
    }
  }
}

const notInstalled = ({ baseUrl, statusReason }: Connection): RepositoryTokens => ({
  host: new URL(baseUrl).host,
  username: '',
  find: async () => {
    const sentence = statusReason ?? 'The App is not installed at GitHub. Install it from the connection'
    throw new SourceError('access_refused', sentence)
  },
  refuse: async () => undefined,
})
