// Updates the edge of a server after a change, and asks it how many streams still use a port.
import type { Context } from '../../../context.ts'
import type { Edges } from '../../../edge/edges.ts'
import { countStreams } from '../../../edge/haproxy/count-streams.ts'
import { visitDomain } from '../../../edge/haproxy/visit-domain.ts'
import { visitApplication } from '../../../edge/visitor-answer.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { updateHaproxyEdge } from './update-haproxy-edge.ts'

type EdgeDependencies = { readonly hosts: Hosts; readonly refreshEmbedded: () => Promise<void> }

export function createEdges(ctx: Context, { hosts, refreshEmbedded }: EdgeDependencies): Edges {
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
