// The typed client of the contract, signed in and with limits of time. It is the only way in which commands reach the platform.
import type { Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { findAccess } from '../credentials/access.ts'
import { chooseNamed, readId } from '../target/choose-named.ts'
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
  const named = ctx.flags.org ?? ctx.config.organization
  if (named === undefined) return createClient(options)
  const id = readId(named)
  if (id !== undefined) return createClient({ ...options, organization: id })
  const { organizations } = await createClient(options).getMe()
  return createClient({ ...options, organization: chooseNamed('organization', named, organizations).id })
}
