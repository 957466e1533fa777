// Answers the next step to a working GitHub App: create it, install it, or nothing more.
import type { AppSetup } from '@shipway/api/github-app'
import type { Context } from '../../../context.ts'
import { type Connection, isSameAccount } from '../../../domain/connection.ts'
import { InvalidField } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { appManifest, newAppUrl } from '../../../domain/repository/app-manifest.ts'
import { installationUrl } from '../../../domain/repository/github-addresses.ts'
import { explainHostFault } from '../explain-host-fault.ts'
import { findConnectionForUpdate } from '../find-connection-for-update.ts'
import { getConnection } from '../list-connections.ts'
import { recordHealth } from '../record-health.ts'
import { beginStep } from './app-setup-state.ts'
import { asGitHostFault } from './as-git-host-fault.ts'
import { recordInstallation } from './record-installation.ts'

type SetupToStart = { readonly id: number; readonly account: string | undefined }

export async function startAppSetup(ctx: Context, actor: Actor, { id, account }: SetupToStart): Promise<AppSetup> {
  const connection = await getConnection(ctx, actor, id)
  if (connection.type !== 'github_app')
    throw InvalidField('', 'not_a_github_app', 'This connection uses a token. Create one of the type github_app')
  const app = ctx.credentials.openApp(connection)
  if (!app) return beginCreation(ctx, actor, { id, account })
  // It may have been installed from GitHub's own pages, or deleted there.
  const found = await ctx.connectedHosts.waitTurn(connection.organizationId, () =>
    ctx.gitHubApps.listInstallations(app).catch((error: unknown) => {
      if (error instanceof AppFault && error.isLost) return error
      return asGitHostFault(error)
    }),
  )
  if (found instanceof AppFault) {
    const { sentence, status } = explainHostFault(found, connection)
    await recordHealth(ctx, connection, sentence, status)
    return beginCreation(ctx, actor, { id, account })
  }
  const installation = found.find(({ account }) => isSameAccount(account, connection.account))
  if (!installation) return beginInstallation(ctx, actor, connection)
  await recordInstallation(ctx, actor, { id, installation })
  return { step: 'done', url: null, manifest: null }
}

async function beginCreation(ctx: Context, actor: Actor, { id, account }: SetupToStart): Promise<AppSetup> {
  return ctx.change(actor, async (tx) => {
    const { hookId, baseUrl } = await findConnectionForUpdate(tx, actor, id)
    const state = await beginStep(ctx, tx, actor, { connectionId: id, step: 'create' })
    const manifest = appManifest({ connectionId: id, hookId: hookId ?? '', baseUrl: ctx.config.baseUrl })
    return { step: 'create', url: newAppUrl(baseUrl, account, state.reveal()), manifest: JSON.stringify(manifest) }
  })
}

export async function beginInstallation(ctx: Context, actor: Actor, { id }: Pick<Connection, 'id'>): Promise<AppSetup> {
  return ctx.change(actor, async (tx) => {
    const { baseUrl, app, account } = await findConnectionForUpdate(tx, actor, id)
    const atGitHub = { slug: app?.slug ?? '', owner: account ?? '' }
    const state = await beginStep(ctx, tx, actor, { connectionId: id, step: 'install' })
    return { step: 'install', url: installationUrl(baseUrl, atGitHub, state.reveal()), manifest: null }
  })
}
