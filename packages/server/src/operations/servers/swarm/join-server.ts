// Makes the line that joins a machine to a Swarm. Its token is a secret: it is asked for each time, and neither stored nor logged.
import type { Context } from '../../../context.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import type { NodeRole } from '../../../domain/swarm/swarm-state.ts'
import { recordNodes } from '../../../progress/record-nodes.ts'
import { findSwarm } from './find-swarm.ts'

export async function joinServer(ctx: Context, actor: Actor, id: number, role: NodeRole): Promise<string> {
  const server = await findSwarm(ctx, actor, id)
  const swarm = await ctx.swarms.read(server)
  await recordNodes(ctx, { server, swarm })
  const token = await ctx.swarms.joinToken(server, role)
  await ctx.change(actor, (tx) =>
    tx.audit({
      organizationId: server.organizationId,
      action: 'server.join_line_shown',
      target: { kind: 'server', id, name: server.name },
      fields: [role],
    }),
  )
  return ctx.servers.joinLine(server, { role, token, address: swarm.address })
}
