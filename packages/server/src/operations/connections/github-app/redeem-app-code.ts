// Exchanges the code that GitHub sent back for the App and its secrets, which are stored sealed.
import type { AppSetup } from '@shipway/api/github-app'
import type { Context } from '../../../context.ts'
import type { Connection } from '../../../domain/connection.ts'
import { connectionContext } from '../../../domain/encryption-context.ts'
import { type AppError, InUse } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { updateConnection } from '../../../store/connections/connections.ts'
import { deleteCheckRunsOfConnection } from '../../../store/repository-events/check-runs.ts'
import { findConnectionForUpdate } from '../find-connection-for-update.ts'
import { getConnection } from '../list-connections.ts'
import { spendState } from './app-setup-state.ts'
import { asGitHostFault } from './as-git-host-fault.ts'
import { beginInstallation } from './start-app-setup.ts'

type CodeToRedeem = { readonly id: number; readonly code: string; readonly state: string }

export async function redeemAppCode(ctx: Context, actor: Actor, { id, code, state }: CodeToRedeem): Promise<AppSetup> {
  const before = await getConnection(ctx, actor, id)
  const { organizationId, baseUrl, sealId } = before
  await spendState(ctx, actor, { connectionId: id, step: 'create', state })
  await demandNoApp(ctx, before)
  const created = await ctx.connectedHosts.waitTurn(organizationId, () =>
    ctx.gitHubApps.convert(baseUrl, code).catch(asGitHostFault),
  )
  const seal = (column: Parameters<typeof connectionContext>[1], value: typeof created.privateKey): string =>
    ctx.box.seal(value, connectionContext(sealId, column))
  await ctx.change(actor, async (tx) => {
    const connection = await findConnectionForUpdate(tx, actor, id)
    if (connection.app?.id !== before.app?.id) throw HasApp()
    // Of an App that was deleted. Only the App that wrote a check run may change it.
    await deleteCheckRunsOfConnection(tx, id)
    await updateConnection(tx, connection, {
      app_id: created.appId,
      app_slug: created.slug,
      account: created.owner,
      client_id: created.clientId,
      client_secret_sealed: seal('client_secret_sealed', created.clientSecret),
      private_key_sealed: seal('private_key_sealed', created.privateKey),
      webhook_secret_sealed: seal('webhook_secret_sealed', created.webhookSecret),
      installation_id: null,
      status: 'pending',
      status_reason: null,
      updated_at: ctx.clock(),
    })
    await tx.audit({
      organizationId: connection.organizationId,
      action: 'connection.app_created',
      target: { kind: 'connection', id, name: connection.name },
    })
  })
  ctx.gitHubApps.forget(id)
  return beginInstallation(ctx, actor, { id })
}

/** A new App takes the place of one that was deleted at GitHub, or whose key is; the projects stay. */
async function demandNoApp(ctx: Context, connection: Connection): Promise<void> {
  const app = ctx.credentials.openApp(connection)
  if (!app) return
  const isLost = await ctx.connectedHosts.waitTurn(connection.organizationId, () =>
    ctx.gitHubApps.isLost(app).catch(asGitHostFault),
  )
  if (!isLost) throw HasApp()
}

const HasApp = (): AppError => InUse('This connection has a GitHub App already')
