// Every route that this release answers; the contract's other routes are listed below until their day comes.
import type { RouteName } from '@shipway/api/routes'
import type { Handlers } from '../handler.ts'
import { aboutHandlers } from './about.ts'
import { actionHandlers } from './actions.ts'
import { alertHandlers } from './alerts.ts'
import { auditHandlers } from './audit.ts'
import { certificateHandlers } from './certificates.ts'
import { channelHandlers } from './channels.ts'
import { connectionHandlers } from './connections.ts'
import { accountHandlers } from './credentials/accounts.ts'
import { deviceRequestHandlers } from './credentials/device-requests.ts'
import { providerSignInHandlers } from './credentials/provider-sign-in.ts'
import { secondFactorHandlers } from './credentials/second-factor.ts'
import { sessionHandlers } from './credentials/sessions.ts'
import { environmentHandlers } from './environments.ts'
import { githubAppHandlers } from './github-app.ts'
import { grantHandlers } from './grants.ts'
import { hookHandlers } from './hooks.ts'
import { metricsHandlers } from './metrics.ts'
import { organizationHandlers } from './organizations.ts'
import { overviewHandlers } from './overviews.ts'
import { peopleHandlers } from './people.ts'
import { projectHandlers } from './projects.ts'
import { runHandlers } from './runs.ts'
import { serverHandlers } from './servers.ts'
import { sshAccessHandlers } from './ssh-access.ts'
import { swarmHandlers } from './swarm.ts'
import { taskHandlers } from './tasks.ts'
import { uploadHandlers } from './uploads.ts'
import { variableHandlers } from './variables.ts'
import { webhookHandlers } from './webhooks.ts'

export const handlers: Handlers = {
  ...organizationHandlers,
  ...auditHandlers,
  ...peopleHandlers,
  ...sessionHandlers,
  ...secondFactorHandlers,
  ...accountHandlers,
  ...providerSignInHandlers,
  ...deviceRequestHandlers,
  ...serverHandlers,
  ...sshAccessHandlers,
  ...swarmHandlers,
  ...projectHandlers,
  ...overviewHandlers,
  ...certificateHandlers,
  ...environmentHandlers,
  ...metricsHandlers,
  ...grantHandlers,
  ...taskHandlers,
  ...actionHandlers,
  ...runHandlers,
  ...uploadHandlers,
  ...variableHandlers,
  ...webhookHandlers,
  ...hookHandlers,
  ...alertHandlers,
  ...channelHandlers,
  ...connectionHandlers,
  ...githubAppHandlers,
  ...aboutHandlers,
}

/** Routes that the contract names already. They answer `endpoint_not_found`, and the reference leaves them out. */
export const ROUTES_TO_COME = [] as const satisfies readonly RouteName[]
