// Every route that this release answers; the contract's other routes are listed below until their day comes.
import type { RouteName } from '@shipway/api/routes'
import type { Handlers } from '../handler.ts'
import { aboutHandlers } from './about.ts'
import { serverHandlers } from './servers.ts'

export const handlers: Handlers = {
  ...serverHandlers,
  ...aboutHandlers,
}

/** Routes that the contract names already. They answer `endpoint_not_found`, and the reference leaves them out. */
export const ROUTES_TO_COME = [
  'checkServer',
  'createCertificate',
  'listDeliveries',
  'resetEnvironment',
  'approveEnvironment',
  'rollBackEnvironment',
  'readTaskLog',
  'listActions',
  'runAction',
  'listArtifacts',
  'downloadArtifact',
  'receiveWebhook',
  'openLive',
] as const satisfies readonly RouteName[]
