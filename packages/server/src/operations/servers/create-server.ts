// Registers a server with an organization.
import type { NewServer } from '@shipway/api/servers'
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { Context } from '../../context.ts'
import { Forbidden, InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { newPrincipal } from '../../secrets/principal.ts'
import { findOwnMachine, insertMachine } from '../../store/servers/machines.ts'
import { insertManager } from '../../store/servers/managers.ts'
import { findServer, insertServer, type Server } from '../../store/servers/servers.ts'
import { createSshAuthority } from '../access/create-ssh-authority.ts'
import { orNotFound } from '../or-not-found.ts'
import { chooseOrganization } from '../people/choose-organization.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'
import { asNameTaken } from './as-name-taken.ts'
import { chooseUnixUser } from './choose-unix-user.ts'
import { demandReachable, demandUnclaimed } from './demand-server-address.ts'

export async function createServer(ctx: Context, actor: Actor, server: NewServer): Promise<Server> {
  const organizationId = chooseOrganization(actor, server.organization_id)
  demand(actor, 'administer', organizationId)
  // Deployments there run beside the master key and the database, as the platform's user.
  if (server.connection === 'local' && !actor.isPlatformAdmin) {
    throw Forbidden("Only a platform administrator can register the platform's own machine. Use connection ssh")
  }
  const isCluster = hasNodes[server.runtime]
  const isEmbedded = server.connection === 'local' && !isCluster
  const edge = server.edge ?? (isEmbedded ? 'embedded' : 'haproxy')
  if (edge === 'embedded' && server.connection !== 'local') throw notItsEdge()
  if (edge === 'embedded' && isCluster) throw notForASwarm()
  if (server.connection === 'ssh') demandReachable(ctx, actor, server.hostname)
  const created = ctx.change(actor, async (tx) => {
    // It may have been deleted since the caller was signed in.
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'administer', organizationId)
    const isLocal = server.connection === 'local'
    if (server.host_key !== undefined) await demandUnclaimed(tx, organizationId, server.host_key)
    if (!isLocal) await createSshAuthority(ctx, tx, organizationId)
    const id = await insertServer(tx, {
      organization_id: organizationId,
      machine_id: isLocal ? await findOwnMachine(tx) : await insertMachine(tx, organizationId),
      principal: newPrincipal(organizationId),
      may_be_private: actor.isPlatformAdmin ? 1 : 0,
      name: server.name,
      hostname: server.hostname,
      port: server.port,
      unix_user: chooseUnixUser(server.connection, server.user),
      connection: server.connection,
      edge,
      runtime: server.runtime,
      host_key: server.host_key ?? null,
      created_at: ctx.clock(),
    })
    if (isCluster)
      await insertManager(tx, {
        serverId: id,
        hostname: server.hostname,
        port: server.port,
        hostKey: server.host_key ?? null,
        mayBePrivate: actor.isPlatformAdmin,
        at: ctx.clock(),
      })
    await tx.audit({
      organizationId,
      action: 'server.created',
      target: { kind: 'server', id, name: server.name },
    })
    return orNotFound(await findServer(tx, actor, id), 'server')
  })
  return created.catch((error: unknown) => {
    throw asNameTaken(error, server.name)
  })
}

/** It would expose any port of the platform's own machine. */
const notItsEdge = () =>
  InvalidField(
    '/edge',
    'embedded_elsewhere',
    "The embedded edge answers for the platform's own machine only. Use haproxy, or leave out edge",
  )

const notForASwarm = () =>
  InvalidField(
    '/edge',
    'embedded_elsewhere',
    'The containers of a Swarm run on several machines, which the embedded edge does not reach. Use haproxy, or leave out edge',
  )
