// Drains a node of a Swarm, or makes it active again.
import type { SwarmNode } from '@shipway/api/servers'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { recordNodes } from '../../../progress/record-nodes.ts'
import { findSwarm } from './find-swarm.ts'

type NodeChange = { readonly id: number; readonly nodeId: string; readonly availability: 'active' | 'drain' }

export async function updateNode(
  ctx: Context,
  actor: Actor,
  { id, nodeId, availability }: NodeChange,
): Promise<SwarmNode> {
  const server = await findSwarm(ctx, actor, id)
  const before = (await ctx.swarms.read(server)).nodes.find((node) => node.id === nodeId)
  if (!before) throw NotFound('node')
  await ctx.swarms.setAvailability(server, { id: nodeId, availability })
  await ctx.change(actor, (tx) =>
    tx.audit({
      organizationId: server.organizationId,
      action: availability === 'drain' ? 'server.node_drained' : 'server.node_activated',
      target: { kind: 'server', id, name: server.name },
      fields: [before.name],
    }),
  )
  const swarm = await ctx.swarms.read(server)
  await recordNodes(ctx, { server, swarm })
  return swarm.nodes.find((node) => node.id === nodeId) ?? { ...before, availability }
}
