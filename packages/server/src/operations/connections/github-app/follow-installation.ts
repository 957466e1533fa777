// Finds the installation that replaced a removed one, for when GitHub's event about it did not arrive.
import type { Context } from '../../../context.ts'
import { type Connection, isSameAccount } from '../../../domain/connection.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { explainHostFault } from '../explain-host-fault.ts'
import { recordHealth } from '../record-health.ts'
import { applyAppEvent } from './apply-app-event.ts'

/**
 * Returns why nothing can be installed, if GitHub does not know the App or its key any more. Does nothing for connections of other types.
 * Other faults leave the connection as it is: the next check asks again.
 */
export async function followInstallation(ctx: Context, connection: Connection): Promise<string | undefined> {
  const app = ctx.credentials.openApp(connection)
  if (!app) return undefined
  const listed = await ctx.gitHubApps.listInstallations(app).catch((error: unknown) => {
    ctx.log.warn({ err: error, connection: connection.id }, 'the installations of a GitHub App could not be listed')
    return error instanceof AppFault && error.isLost ? error : []
  })
  if (listed instanceof AppFault) {
    const { sentence, status } = explainHostFault(listed, connection)
    await recordHealth(ctx, connection, sentence, status)
    return sentence
  }
  const found = listed.find(({ account }) => isSameAccount(account, connection.account))
  if (!found) return undefined
  const { installationId, account, isSuspended } = found
  const action = isSuspended ? 'suspended' : 'installed'
  const event = { kind: 'installation', action, installationId, account } as const
  await applyAppEvent(ctx, { connectionId: connection.id, event, origin: PLATFORM.origin })
  return undefined
}
