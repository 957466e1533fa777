// Records an installation that GitHub has confirmed.
import type { Context } from '../../../context.ts'
import type { Connection } from '../../../domain/connection.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { findConnection, updateConnection } from '../../../store/connections/connections.ts'
import { updateAccessDueOfConnection } from '../../../store/connections/repository-access.ts'
import { orNotFound } from '../../or-not-found.ts'
import { findConnectionForUpdate } from '../find-connection-for-update.ts'

type ConfirmedInstallation = {
  readonly id: number
  readonly installation: { readonly installationId: number; readonly account: string; readonly isSuspended: boolean }
}

export async function recordInstallation(
  ctx: Context,
  actor: Actor,
  { id, installation }: ConfirmedInstallation,
): Promise<Connection> {
  ctx.gitHubApps.forget(id)
  return ctx.change(actor, async (tx) => {
    const connection = await findConnectionForUpdate(tx, actor, id)
    await updateConnection(tx, connection, {
      ...installationColumns(installation),
      checked_at: ctx.clock(),
      updated_at: ctx.clock(),
    })
    // What could not be read without the App may be readable now.
    await updateAccessDueOfConnection(tx, id)
    await tx.audit({
      organizationId: connection.organizationId,
      action: 'connection.app_installed',
      target: { kind: 'connection', id, name: connection.name },
    })
    return orNotFound(await findConnection(tx, actor, id), 'connection')
  })
}

export const installationColumns = ({
  installationId,
  account,
  isSuspended,
}: ConfirmedInstallation['installation']) => ({
  installation_id: installationId,
  account,
  status: isSuspended ? ('suspended' as const) : ('active' as const),
  status_reason: isSuspended ? new AppFault('suspended').message : null,
})
