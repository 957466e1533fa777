// Exchanges the code that GitHub sent back for the App and its secrets, which are stored sealed.
import type { AppSetup } from '@shipway/api/github-app'
import type { Context } from '../../../context.ts'
import { connectionContext } from '../../../domain/encryption-context.ts'
import { InUse } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { updateConnection } from '../../../store/connections/connections.ts'
import { holdConnection } from '../hold-connection.ts'
import { getConnection } from '../list-connections.ts'
import { spendState } from './app-setup-state.ts'
import { asGitHostFault } from './as-git-host-fault.ts'
import { beginInstallation } from './start-app-setup.ts'

type CodeToRedeem = { readonly id: number; readonly code: string; readonly state: string }

export async function redeemAppCode(ctx: Context, actor: Actor, { id, code, state }: CodeToRedeem): Promise<AppSetup> {
  const { baseUrl, sealId } = await getConnection(ctx, actor, id)
  await spendState(ctx, actor, { connectionId: id, step: 'create', state })
  const created = await ctx.gitHubApps.convert(baseUrl, code).catch(asGitHostFault)
  const seal = (column: Parameters<typeof connectionContext>[1], value: typeof created.privateKey): string =>
    ctx.box.seal(value, connectionContext(sealId, column))
  await ctx.change(actor, async (tx) => {
    const connection = await holdConnection(tx, actor, id)
    if (connection.app) throw InUse('This connection has a GitHub App already')
    await updateConnection(tx, connection, {
      app_id: created.appId,
      app_slug: created.slug,
      account: created.owner,
      client_id: created.clientId,
      client_secret_sealed: seal('client_secret_sealed', created.clientSecret),
      private_key_sealed: seal('private_key_sealed', created.privateKey),
      webhook_secret_sealed: seal('webhook_secret_sealed', created.webhookSecret),
      status_reason: null,
      updated_at: ctx.clock(),
    })
    await tx.audit({
      organizationId: connection.organizationId,
      action: 'connection.app_created',
      target: { kind: 'connection', id, name: connection.name },
    })
  })
  return beginInstallation(ctx, actor, { id })
}
