// Finds the installation that replaced a removed one, for when GitHub's event about it did not arrive.
import type { Context } from '../../../context.ts'
import { type Connection, isSameAccount } from '../../../domain/connection.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { applyAppEvent } from './apply-app-event.ts'

/** Does nothing for connections of other types. A fault of GitHub leaves the connection as it is: the next check asks again. */
export async function followInstallation(ctx: Context, connection: Connection): Promise<void> {
  const app = ctx.credentials.openApp(connection)
  if (!app) return
  const installations = await ctx.gitHubApps.listInstallations(app).catch((error: unknown) => {
    if (!(error instanceof AppFault)) throw error
    ctx.log.info({ err: error, connection: connection.id }, 'the installations of a GitHub App could not be listed')
    return []
  })
  const found = installations.find(({ account }) => isSameAccount(account, connection.account))
  if (!found) return
  const { installationId, account, isSuspended } = found
  const action = isSuspended ? 'suspended' : 'installed'
  const event = { kind: 'installation', action, installationId, account } as const
  await applyAppEvent(ctx, { connectionId: connection.id, event, origin: PLATFORM.origin })
}
