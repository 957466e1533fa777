// The typed client of the contract, signed in and with limits of time. It is the only way in which commands reach the platform.
import type { Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { findAccess } from '../credentials/access.ts'
import { organizationOf } from './organization-of.ts'
import { signedFetch } from './signed-fetch.ts'
import { limitTime, USUAL_LIMITS } from './time-limits.ts'
import { USER_AGENT } from './user-agent.ts'

export async function openClient(ctx: Context): Promise<Client> {
  const [access, { createClient }] = await Promise.all([findAccess(ctx), import('@shipway/api/client')])
  const options = {
    baseUrl: access.instance,
    token: () => access.token(),
    userAgent: USER_AGENT,
    fetch: signedFetch(limitTime(fetch, USUAL_LIMITS, ctx.signal), access),
  }
  const client = createClient(options)
  const organization = await organizationOf(ctx, client)
  return organization === undefined ? client : createClient({ ...options, organization })
}
