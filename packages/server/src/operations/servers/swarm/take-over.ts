// Gives the record of a Swarm the address of another manager when the one in use is lost.
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { useManager } from '../../../store/servers/machines.ts'
import { findOrganizationOf } from '../../../store/servers/servers.ts'

type Takeover = {
  readonly server: ServerAddress
  readonly to: { readonly hostname: string; readonly port: number }
}

/** False if the record has changed meanwhile, or the manager may not take over. */
export async function takeOver({ change }: Pick<Context, 'change'>, { server, to }: Takeover): Promise<boolean> {
  return change(PLATFORM, async (tx) => {
    const organizationId = await findOrganizationOf(tx, server.id)
    if (organizationId === undefined) return false
    const isUsed = await useManager(tx, { serverId: server.id, from: server, to })
    if (isUsed)
      await tx.audit({
        organizationId,
        action: 'server.manager_replaced',
        target: { kind: 'server', id: server.id, name: server.name },
        fields: [to.hostname],
      })
    return isUsed
  })
}
