// Deletes a server that nothing runs on.
import type { Context } from '../../context.ts'
import { InUse } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { moveRemovedEnvironments } from '../../store/environments/environments.ts'
import { deleteServer as deleteRow, findServer } from '../../store/servers/servers.ts'
import { isRunningOn } from '../../store/tasks/task-queue.ts'
import { orNotFound } from '../or-not-found.ts'

export async function deleteServer(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const server = orNotFound(await findServer(tx, actor, id), 'server')
    demand(actor, 'administer', server.organizationId)
    if (server.projectCount > 0) {
      throw InUse(`${server.projectCount} of your projects use this server. Take it off them first`)
    }
    // Its worker, or the one that takes it over, needs the record to end it.
    if (await isRunningOn(tx, id)) throw InUse('A task still runs on this server. Wait for its end, or cancel it')
    await moveRemovedEnvironments(tx, id)
    await deleteRow(tx, id)
    await tx.audit({
      organizationId: server.organizationId,
      action: 'server.deleted',
      target: { kind: 'server', id, name: server.name },
    })
  })
}
