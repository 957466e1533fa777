// Tokens for git of an installed App.
import { AppFault } from '../../domain/repository/app-fault.ts'
import type { RepositoryTokens } from '../repository-tokens.ts'
import { SourceError } from '../source-error.ts'
import type { InstalledApp } from './github-app.ts'
import type { GitHubApps } from './github-apps.ts'

export function repositoryTokensOf(
  apps: Pick<GitHubApps, 'findGitToken' | 'refuseToken'>,
  app: InstalledApp,
): RepositoryTokens {
  return {
    host: new URL(app.baseUrl).host,
    // GitHub takes tokens of installations with this name.
    username: 'x-access-token',
    find: () =>
      apps.findGitToken(app).catch((error: unknown) => {
        throw error instanceof AppFault ? new SourceError('access_refused', error.message, { cause: error }) : error
      }),
    refuse: (token) => apps.refuseToken(app, token),
  }
}
