// The typed client, signed in and with limits. Commands reach the platform only through it.
import type { Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { findAccess } from '../credentials/access.ts'
import { clientOptions } from './client-options.ts'
import { findOrganization } from './find-organization.ts'
import { USER_AGENT } from './user-agent.ts'

type ClientContext = Pick<Context, 'config' | 'flags' | 'folder' | 'signal'>

export async function openClient(ctx: ClientContext): Promise<Client> {
  const [access, { createClient }] = await Promise.all([findAccess(ctx), import('@shipway/api/client')])
  const options = clientOptions(ctx, access, USER_AGENT)
  const client = createClient(options)
  const organization = await findOrganization(ctx, client)
  return organization === undefined ? client : createClient({ ...options, organization })
}
