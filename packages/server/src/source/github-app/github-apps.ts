// GitHub's API of Apps: makes an App of a manifest's code, verifies its installation, hands out installation tokens and finds repositories.
import { z } from 'zod'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { textOf } from '../../domain/repository/reported-values.ts'
import { Secret } from '../../secrets/secret.ts'
import { type AppCallOptions, createAppCalls } from './app-calls.ts'
import { appFaultOf } from './app-fault-of.ts'
import { type AppInstallation, askForApp, findInstallation, listInstallations } from './app-installations.ts'
import type { GitHubApp, InstalledApp } from './github-app.ts'
import { createInstallationTokens } from './installation-tokens.ts'
import { type AppRepository, createInstalledRepositories } from './installed-repositories.ts'

/** What GitHub makes of a manifest. */
export type CreatedApp = {
  readonly appId: number
  readonly slug: string
  readonly owner: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly webhookSecret: Secret
  readonly privateKey: Secret
}

export type GitHubApps = ReturnType<typeof createGitHubApps>

export function createGitHubApps(options: AppCallOptions) {
  const { clock } = options
  const calls = createAppCalls(options)
  const tokens = createInstallationTokens(calls, clock)
  const repositories = createInstalledRepositories({ calls, tokens, clock })
  return {
    /** Exchanges the code of a manifest. GitHub gives the secrets this once. */
    async convert(baseUrl: string, code: string): Promise<CreatedApp> {
      const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
      const answer = await calls.call(baseUrl, { method: 'POST', path }).catch((error: unknown) => {
        throw appFaultOf(error, 'code_refused')
      })
      return toCreatedApp(Conversion.parse(answer))
    },

    /** Whether GitHub neither knows the App any more nor takes its key: another App may take its place. */
    async isLost(app: GitHubApp): Promise<boolean> {
      return askForApp(calls, app).then(
        () => false,
        (error: unknown) => {
          if (error instanceof AppFault && error.isLost) return true
          throw error
        },
      )
    },

    /** Whether the key belongs to the App. Throws an AppFault if not. */
    verifyKey: (app: GitHubApp): Promise<void> => askForApp(calls, app),

    findInstallation: (app: GitHubApp, installationId: number): Promise<AppInstallation> =>
      findInstallation(calls, app, installationId),

    listInstallations: (app: GitHubApp): Promise<readonly AppInstallation[]> => listInstallations(calls, app),

    findToken: (app: InstalledApp): Promise<Secret> => tokens.find(app, 'api'),

    /** For git, which only reads: of repositories of the installation, submodules included. */
    findGitToken: (app: InstalledApp): Promise<Secret> => tokens.find(app, 'git'),

    /** GitHub refused a token: the next call asks for a new one. */
    refuseToken: tokens.drop,

    /** A suspended or removed App, or another key: nothing of before is used again. */
    forget(connectionId: number): void {
      for (const part of [calls, tokens, repositories]) part.forget(connectionId)
    },

    /** Repositories that the installation may use; with `search` those whose name contains it. */
    listRepositories: repositories.list,

    /** One repository by `owner/name`; undefined if the installation may not use it. */
    findRepository: (app: InstalledApp, fullName: string): Promise<AppRepository | undefined> =>
      repositories.findAt(app, `/repos/${fullName}`),

    /** The same by its id, whatever its name is now. */
    findRepositoryById: (app: InstalledApp, id: string): Promise<AppRepository | undefined> =>
      repositories.findAt(app, `/repositories/${encodeURIComponent(id)}`),
  }
}

const Conversion = z.object({
  id: z.int(),
  slug: z.string().regex(/^[\w.-]{1,200}$/),
  owner: z.object({ login: z.string().transform(textOf) }),
  client_id: z.string().max(200),
  client_secret: z.string().max(1000),
  webhook_secret: z.string().min(1).max(1000),
  pem: z.string().max(20_000),
})

const toCreatedApp = (created: z.infer<typeof Conversion>): CreatedApp => ({
  appId: created.id,
  slug: created.slug,
  owner: created.owner.login,
  clientId: created.client_id,
  clientSecret: new Secret(created.client_secret),
  webhookSecret: new Secret(created.webhook_secret),
  privateKey: new Secret(created.pem),
})
