// Changes how a server is named and reached.
import type { ServerChanges } from '@shipway/api/servers'
import { hasNodes, usesRegistry } from '@shipway/api/values/runtime-facts'
import type { Context } from '../../context.ts'
import { serverRegistryContext } from '../../domain/encryption-context.ts'
import { NotASwarm } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { Secret } from '../../secrets/secret.ts'
import { deleteSshAccess } from '../../store/access/ssh-access.ts'
import { deleteServerHealth } from '../../store/alerts/server-health.ts'
import type { Change } from '../../store/change.ts'
import { separateFromMachine } from '../../store/servers/machines.ts'
import { deleteManager, insertManager } from '../../store/servers/managers.ts'
import { deleteServerCheck } from '../../store/servers/server-checks.ts'
import { findServer, lockServer, type Server, updateServer as updateRow } from '../../store/servers/servers.ts'
import { orNotFound } from '../or-not-found.ts'
import { asNameTaken } from './as-name-taken.ts'
import { chooseUnixUser } from './choose-unix-user.ts'
import { demandReachable, demandUnclaimed } from './demand-server-address.ts'
import { replaceManagers } from './swarm/replace-managers.ts'

export async function updateServer(ctx: Context, actor: Actor, id: number, changes: ServerChanges): Promise<Server> {
  if (changes.registry) await demandRegistry(ctx, actor, { id, registry: changes.registry })
  const changed = ctx.change(actor, async (tx) => {
    const seen = orNotFound(await findServer(tx, actor, id), 'server')
    demand(actor, 'administer', seen.organizationId)
    await lockServer(tx, id)
    const server = orNotFound(await findServer(tx, actor, id), 'server')
    const isCluster = hasNodes[server.runtime]
    const { name, hostname, port, user, host_key, managers, registry } = changes
    if (!isCluster && (managers ?? registry) !== undefined) throw NotASwarm(server.name)
    if (managers !== undefined) await replaceManagers(ctx, tx, actor, { server, managers })
    const hostKey = changes.host_key ?? null
    if (hostKey !== null) await demandUnclaimed(tx, server.organizationId, hostKey)
    if (changes.host_key !== undefined && changes.host_key !== server.hostKey) await separateFromMachine(tx, id)
    if (isAnotherMachine(server, changes)) {
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
      ...(registry !== undefined && registryColumns(ctx, id, registry)),
      ...placeChanges(ctx, actor, { server, changes }),
    })
    if (isCluster && isAnotherMachine(server, changes)) await renameManager(ctx, tx, actor, { server, changes })
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

type NewRegistry = { readonly id: number; readonly registry: NonNullable<ServerChanges['registry']> }

/** A wrong password would fail the next deployment. */
async function demandRegistry(ctx: Context, actor: Actor, { id, registry }: NewRegistry): Promise<void> {
  const server = orNotFound(await findServer(ctx.db, actor, id), 'server')
  demand(actor, 'administer', server.organizationId)
  if (!usesRegistry[server.runtime]) throw NotASwarm(server.name)
  await ctx.swarms.checkRegistry(server, { ...registry, password: new Secret(registry.password) })
}

/** Signed in at its new address, the manager in use may take over again. */
async function renameManager(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { server, changes }: { readonly server: Server; readonly changes: ServerChanges },
): Promise<void> {
  const place = { hostname: changes.hostname ?? server.hostname, port: changes.port ?? server.port }
  await deleteManager(tx, server.id, server)
  await deleteManager(tx, server.id, place)
  const hostKey = changes.host_key === undefined ? server.hostKey : changes.host_key
  await insertManager(tx, {
    serverId: server.id,
    ...place,
    hostKey,
    mayBePrivate: actor.isPlatformAdmin,
    at: ctx.clock(),
  })
}

function registryColumns({ box }: Pick<Context, 'box'>, serverId: number, registry: ServerChanges['registry']) {
  if (!registry) return { registry_address: null, registry_username: null, registry_password_sealed: null }
  return {
    registry_address: registry.address,
    registry_username: registry.username,
    registry_password_sealed: box.seal(new Secret(registry.password), serverRegistryContext(serverId)),
  }
}

const isAnotherMachine = (server: Server, { hostname, port, user, host_key }: ServerChanges): boolean =>
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
    ...(isAnotherMachine(server, changes) && { signed_in_at: null }),
  }
}
