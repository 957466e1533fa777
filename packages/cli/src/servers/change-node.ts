// Changes whether a node of a Swarm gets containers.
import type { SwarmNode } from '@shipway/api'
import type { Context } from '../context.ts'
import { NameNotFound } from '../target/find-by-name.ts'
import { chooseServer, listServers } from '../target/find-server.ts'

type NodeChange = { readonly server: string; readonly node: string; readonly availability: 'active' | 'drain' }

export async function changeNode(ctx: Context, { server, node, availability }: NodeChange): Promise<SwarmNode> {
  const client = await ctx.client()
  const { id, nodes } = chooseServer(server, await listServers(client))
  const found = nodes.find((one) => one.id === node || one.name === node)
  if (!found)
    throw NameNotFound(
      'node',
      node,
      nodes.map(({ name }, index) => ({ id: index, name })),
    )
  return client.updateNode({ params: { id, node: found.id }, body: { availability } })
}
