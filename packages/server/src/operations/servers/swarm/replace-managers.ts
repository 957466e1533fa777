// Replaces the addresses of a Swarm's managers. Only an admin names them: what a node says of itself makes no address of it.
import type { ServerChanges } from '@shipway/api/servers'
import type { Context } from '../../../context.ts'
import { InvalidField } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import type { Change } from '../../../store/change.ts'
import { deleteManager, insertManager, isSameAddress } from '../../../store/servers/managers.ts'
import type { Server } from '../../../store/servers/servers.ts'
import { demandReachable, demandUnclaimed } from '../demand-server-address.ts'

type Replacement = { readonly server: Server; readonly managers: NonNullable<ServerChanges['managers']> }

export async function replaceManagers(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { server, managers }: Replacement,
): Promise<void> {
  refuse(server, managers)
  const gone = server.managers.filter(
    (known) => !managers.some((one) => isSameAddress(one, known) && isSameKey(one.host_key, known.hostKey)),
  )
  for (const manager of gone) if (!isSameAddress(manager, server)) await deleteManager(tx, server.id, manager)
  for (const manager of managers) {
    const isKnown = server.managers.some((known) => isSameAddress(known, manager) && !gone.includes(known))
    if (isKnown || isSameAddress(manager, server)) continue
    demandReachable(ctx, actor, manager.hostname)
    if (manager.host_key !== undefined) await demandUnclaimed(tx, server.organizationId, manager.host_key)
    await insertManager(tx, {
      serverId: server.id,
      hostname: manager.hostname,
      port: manager.port,
      hostKey: manager.host_key ?? null,
      mayBePrivate: actor.isPlatformAdmin,
      at: ctx.clock(),
    })
  }
}

function refuse(server: Server, managers: Replacement['managers']): void {
  const inUse = managers.find((manager) => isSameAddress(manager, server))
  if (!inUse) {
    const detail = `The list must have the manager in use, ${server.hostname} with port ${server.port}`
    throw InvalidField('/managers', 'in_use', detail)
  }
  if (!isSameKey(inUse.host_key, server.hostKey))
    throw InvalidField('/managers', 'in_use', 'Change the key of the manager in use with host_key of the server')
  const places = new Set(managers.map(({ hostname, port }) => `${hostname} ${port}`))
  if (places.size < managers.length) throw InvalidField('/managers', 'duplicate', 'Name each manager once')
}

/** One that is left out stays as it is. */
const isSameKey = (given: string | undefined, known: string | null): boolean => given === undefined || given === known
