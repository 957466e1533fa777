// Changes how a server is named and reached.
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { demand } from '../domain/permissions.ts'
import { findServer, type Server, updateServer as updateRow } from '../store/servers.ts'
import { audit } from './audit.ts'
import { chooseUnixUser } from './choose-unix-user.ts'
import { required } from './required.ts'

type ServerChanges = {
  readonly name?: string | undefined
  readonly hostname?: string | undefined
  readonly port?: number | undefined
  readonly user?: string | undefined
  readonly host_key?: string | null | undefined
}

export async function updateServer(ctx: Context, actor: Actor, id: number, changes: ServerChanges): Promise<Server> {
  const updated = await ctx.db.transaction().execute(async (db) => {
    const server = required(await findServer(db, actor, id), 'server')
    demand(actor, 'administer', server.organizationId)
    const { user, ...columns } = changes
    await updateRow(db, id, {
      ...columns,
      ...(user !== undefined && { unix_user: chooseUnixUser(server.connection, user) }),
    })
    await audit(ctx, db, actor, {
      organizationId: server.organizationId,
      action: 'server.updated',
      target: { kind: 'server', id, name: server.name },
      fields: Object.keys(changes),
    })
    return required(await findServer(db, actor, id), 'server')
  })
  // Whoever holds a connection to it begins anew, with the address and the key that stand in the record now.
  ctx.bus.announce({ about: 'server', serverId: id })
  return updated
}
