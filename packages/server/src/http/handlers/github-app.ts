// Requests that set up the GitHub App of a connection.
import { redeemAppCode } from '../../operations/connections/github-app/redeem-app-code.ts'
import { redeemAppInstallation } from '../../operations/connections/github-app/redeem-app-installation.ts'
import { startAppSetup } from '../../operations/connections/github-app/start-app-setup.ts'
import type { Handlers } from '../handler.ts'
import { presentConnection } from '../present/connection.ts'

export const githubAppHandlers = {
  startAppSetup: async ({ ctx, actor, params, body }) => ({
    body: await startAppSetup(ctx, actor, { id: params.id, account: body.account }),
  }),
  redeemAppCode: async ({ ctx, actor, params, body }) => ({
    body: await redeemAppCode(ctx, actor, { id: params.id, ...body }),
  }),
  redeemAppInstallation: async ({ ctx, actor, params, body }) => ({
    body: presentConnection(
      await redeemAppInstallation(ctx, actor, {
        id: params.id,
        installationId: body.installation_id,
        state: body.state,
      }),
    ),
  }),
} satisfies Handlers
