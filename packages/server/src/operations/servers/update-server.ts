// Changes how a server is named and reached.
import type { ServerChanges } from '@shipway/api/servers'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteSshAccess } from '../../store/access/ssh-access.ts'
import { deleteServerHealth } from '../../store/alerts/server-health.ts'
import { separateFromMachine } from '../../store/servers/machines.ts'
import { deleteServerCheck } from '../../store/servers/server-checks.ts'
import { findServer, lockServer, type Server, updateServer as updateRow } from '../../store/servers/servers.ts'
import { orNotFound } from '../or-not-found.ts'
import { asNameTaken } from './as-name-taken.ts'
import { chooseUnixUser } from './choose-unix-user.ts'
import { demandReachable, demandUnclaimed } from './demand-server-address.ts'

export async function updateServer(ctx: Context, actor: Actor, id: number, changes: ServerChanges): Promise<Server> {
  const changed = ctx.change(actor, async (tx) => {
    const seen = orNotFound(await findServer(tx, actor, id), 'server')
    demand(actor, 'administer', seen.organizationId)
    await lockServer(tx, id)
    const server = orNotFound(await findServer(tx, actor, id), 'server')
    const { name, hostname, port, user, host_key } = changes
    const hostKey = changes.host_key ?? null
    if (hostKey !== null) await demandUnclaimed(tx, server.organizationId, hostKey)
    if (changes.host_key !== undefined && changes.host_key !== server.hostKey) await separateFromMachine(tx, id)
    if (isAnotherPlace(server, changes)) {
      await deleteServerCheck(tx, id)
      await deleteServerHealth(tx, id)
      await deleteSshAccess(tx, id)
    }
    await updateRow(tx, id, {
      ...(name !== undefined && { name }),
      ...(hostname !== undefined && { hostname }),
      ...(port !== undefined && { port }),
      ...(host_key !== undefined && { host_key }),
      ...(user !== undefined && { unix_user: chooseUnixUser(server.connection, user) }),
      ...placeChanges(ctx, actor, { server, changes }),
    })
    await tx.audit({
      organizationId: server.organizationId,
      action: 'server.updated',
      target: { kind: 'server', id, name: server.name },
      fields: Object.keys(changes),
    })
    return orNotFound(await findServer(tx, actor, id), 'server')
  })
  return changed.catch((error: unknown) => {
    throw asNameTaken(error, changes.name)
  })
}

const isAnotherPlace = (server: Server, { hostname, port, user, host_key }: ServerChanges): boolean =>
  (hostname !== undefined && hostname !== server.hostname) ||
  (port !== undefined && port !== server.port) ||
  (user !== undefined && user !== server.unixUser) ||
  (host_key !== undefined && host_key !== server.hostKey)

/**
 * Name and port are one address: a caller who changes either vouches for both. A platform administrator may send the same address,
 * to vouch for one that another user entered.
 */
function placeChanges(
  ctx: Context,
  actor: Actor,
  { server, changes }: { readonly server: Server; readonly changes: ServerChanges },
): { readonly may_be_private?: 0 | 1; readonly signed_in_at?: null } {
  const { hostname = server.hostname, port = server.port } = changes
  const isGiven = changes.hostname !== undefined || changes.port !== undefined
  const isElsewhere = hostname !== server.hostname || port !== server.port
  const isVouchedFor = isElsewhere || (isGiven && actor.isPlatformAdmin)
  if (isVouchedFor && server.connection === 'ssh') demandReachable(ctx, actor, hostname)
  return {
    ...(isVouchedFor && { may_be_private: actor.isPlatformAdmin ? 1 : 0 }),
    ...(isAnotherPlace(server, changes) && { signed_in_at: null }),
  }
}
