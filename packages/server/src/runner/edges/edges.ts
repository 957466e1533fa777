// The edges of servers, whichever kind each has: changed when the records have changed, and asked how much still leads where.
import type { Context } from '../../context.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { countStreams } from '../../edge/haproxy/count-streams.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { edgeFolderOf } from './haproxy-folder.ts'
import { applyServerEdge } from './keep-haproxy-edges.ts'

type Server = ServerAddress & { readonly edge: 'haproxy' | 'embedded' }

export type Edges = {
  /** Resolves when the next request sees what the records say. */
  apply(server: Server): Promise<void>
  /** Requests under way and WebSockets that lead to these ports. */
  countStreams(server: Server, ports: readonly number[]): Promise<number>
}

type Doors = { readonly hosts: Hosts; readonly refreshEmbedded: () => Promise<void> }

export function createEdges(ctx: Context, { hosts, refreshEmbedded }: Doors): Edges {
  return {
    apply: async (server) => {
      if (server.edge === 'embedded') await refreshEmbedded()
      else await applyServerEdge(ctx, hosts, server)
    },
    countStreams: async (server, ports) => {
      if (server.edge === 'embedded') return ctx.edge.countStreams(ports)
      return countStreams(hosts.of(server), edgeFolderOf(ctx, server), ports)
    },
  }
}
