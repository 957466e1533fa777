// Asks GitHub for the installation of an App, and follows its account if it was renamed: GitHub's event about that may be lost.
import type { Context } from '../../../context.ts'
import { type Connection, isSameAccount } from '../../../domain/connection.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { AppInstallation } from '../../../source/github-app/app-installations.ts'
import type { InstalledApp } from '../../../source/github-app/github-app.ts'
import { applyAppEvent } from './apply-app-event.ts'

export async function followAccount(ctx: Context, connection: Connection, app: InstalledApp): Promise<AppInstallation> {
  const installation = await ctx.gitHubApps.findInstallation(app, app.installationId)
  const { account } = installation
  if (!isSameAccount(account, connection.account)) {
    const event = { kind: 'renamed', account } as const
    await applyAppEvent(ctx, { connectionId: connection.id, event, origin: PLATFORM.origin })
  }
  return installation
}
