// Requests about servers that are a Swarm, and about how many containers services have.
import { findScale, updateScale } from '../../operations/environments/scale.ts'
import { joinServer } from '../../operations/servers/swarm/join-server.ts'
import { updateNode } from '../../operations/servers/swarm/update-node.ts'
import type { Handlers } from '../handler.ts'
import { presentNode } from '../present/server.ts'

export const swarmHandlers = {
  joinServer: async ({ ctx, actor, params, body }) => ({
    body: { command: await joinServer(ctx, actor, params.id, body?.role ?? 'worker') },
  }),
  updateNode: async ({ ctx, actor, params, body }) => ({
    body: presentNode(await updateNode(ctx, actor, { id: params.id, nodeId: params.node, ...body })),
  }),
  getScale: async ({ ctx, actor, params }) => ({
    body: { environment_id: params.id, services: [...(await findScale(ctx, actor, params.id))] },
  }),
  updateScale: async ({ ctx, actor, params, body }) => ({
    body: { environment_id: params.id, services: [...(await updateScale(ctx, actor, { id: params.id, ...body }))] },
  }),
} satisfies Handlers
