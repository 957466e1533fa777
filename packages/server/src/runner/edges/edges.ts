// The edge of a server, whichever kind it has: brought up to date after a change, and asked how many streams still use a port.
import type { Context } from '../../context.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { countStreams } from '../../edge/haproxy/count-streams.ts'
import { visitDomain } from '../../edge/haproxy/visit-domain.ts'
import { type VisitorAnswer, visitApplication } from '../../edge/visitor-answer.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { updateHaproxyEdge } from './update-haproxy-edge.ts'

type ServerWithEdge = ServerAddress & { readonly edge: 'haproxy' | 'embedded' }

export type Edges = {
  /** Resolves when the next request sees what the records say; rejects where none will. */
  apply(server: ServerWithEdge): Promise<void>
  /** Requests in flight and WebSockets that lead to these ports. */
  countStreams(server: ServerWithEdge, ports: readonly number[]): Promise<number>
  /** What a visitor of this domain gets; undefined where nothing answers within two seconds. */
  visit(server: ServerWithEdge, route: VisitedRoute): Promise<VisitorAnswer | undefined>
}

type VisitedRoute = { readonly domain: string; readonly port: number }

type EdgeDoors = { readonly hosts: Hosts; readonly refreshEmbedded: () => Promise<void> }

export function createEdges(ctx: Context, { hosts, refreshEmbedded }: EdgeDoors): Edges {
  return {
    apply: async (server) => {
      if (server.edge === 'embedded') await refreshEmbedded()
      else await updateHaproxyEdge(ctx, hosts, { server, isForced: true })
    },
    countStreams: async (server, ports) => {
      if (server.edge === 'embedded') return ctx.embeddedEdge.countStreams(ports)
      return countStreams(hosts.of(server), haproxyFolderOf(ctx, server), ports)
    },
    visit: (server, route) => {
      if (server.edge === 'embedded') return visitApplication(route)
      return visitDomain(hosts.of(server), haproxyFolderOf(ctx, server), route.domain)
    },
  }
}
