// Confirms an installation that came back from GitHub: anybody can write its id into an address, so GitHub is asked.
import type { Context } from '../../../context.ts'
import type { Connection } from '../../../domain/connection.ts'
import { InvalidField } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { getConnection } from '../list-connections.ts'
import { spendState } from './app-setup-state.ts'
import { asGitHostFault } from './as-git-host-fault.ts'
import { recordInstallation } from './record-installation.ts'

type InstallationToRedeem = { readonly id: number; readonly installationId: number; readonly state: string }

export async function redeemAppInstallation(
  ctx: Context,
  actor: Actor,
  { id, installationId, state }: InstallationToRedeem,
): Promise<Connection> {
  const connection = await getConnection(ctx, actor, id)
  await spendState(ctx, actor, { connectionId: id, step: 'install', state })
  const app = ctx.credentials.openApp(connection)
  if (!app) throw InvalidField('', 'no_app', 'This connection has no GitHub App yet. Create it first')
  const installation = await ctx.connectedHosts.waitTurn(connection.organizationId, () =>
    ctx.gitHubApps.findInstallation(app, installationId).catch((error: unknown) => {
      if (error instanceof AppFault && error.code === 'not_installed')
        throw InvalidField('/installation_id', 'not_of_this_app', 'GitHub knows no such installation of this App')
      return asGitHostFault(error)
    }),
  )
  return recordInstallation(ctx, actor, { id, installation })
}
