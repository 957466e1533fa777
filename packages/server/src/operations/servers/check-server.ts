// Looks at a server, for those who can mend it.
import type { Check } from '@shipway/api/servers'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findServer } from '../../store/servers/servers.ts'
import { required } from '../required.ts'

export async function checkServer(ctx: Context, actor: Actor, id: number): Promise<readonly Check[]> {
  const server = required(await findServer(ctx.db, actor, id), 'server')
  demand(actor, 'administer', server.organizationId)
  return ctx.servers.inspect(server, { tellsAll: actor.isPlatformAdmin })
}
