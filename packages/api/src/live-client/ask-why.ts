// Finds out why a WebSocket could not be opened: a page does not learn it, but the same sign-in over HTTP is answered.
import { mayPass } from '../api-error.ts'
import type { ClientOptions } from '../client-request.ts'
import { peopleRoutes } from '../people.ts'
import { sendRequest } from '../send-request.ts'
import { unlessEnded } from './unless-ended.ts'

type Until = { readonly limitMs: number; readonly ended: AbortSignal }

/** The reason, where waiting may help; whatever else is wrong is thrown. */
export async function askWhy(options: ClientOptions, { limitMs, ended }: Until): Promise<unknown> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(limitMs)])
  try {
    const asked = sendRequest(options, { route: peopleRoutes.getMe, request: { signal } }, ({ body }) => body?.cancel())
    await unlessEnded(asked, ended)
  } catch (error) {
    if (ended.aborted || !(signal.aborted || mayPass(error))) throw error
    return error
  }
  return new ChannelRefused()
}

export class ChannelRefused extends Error {
  constructor() {
    super(
      'The platform answers, but opens no live channel: too many are open, or a proxy in front of it does not pass WebSockets',
    )
  }
}
