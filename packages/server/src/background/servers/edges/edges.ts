// Updates the edge of a server after a change, and asks it how many streams still use a port.
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import type { Edges } from '../../../edge/edges.ts'
import { countStreams } from '../../../edge/haproxy/count-streams.ts'
import { visitDomain } from '../../../edge/haproxy/visit-domain.ts'
import { visitApplication } from '../../../edge/visitor-answer.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { balanceEdges } from './balance-edges.ts'
import { hasLostManager, onEdgeMachines } from './edge-machines.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { updateHaproxyEdge } from './update-haproxy-edge.ts'

type EdgeDependencies = {
  readonly hosts: Hosts
  readonly refreshEmbedded: () => Promise<void>
  readonly runtimeFor?: (server: ServerAddress) => Pick<Runtime, 'listUpstreams'>
}

export function createEdges(ctx: Context, { hosts, refreshEmbedded, runtimeFor = runtimeOf }: EdgeDependencies): Edges {
  const balance: Edges['balance'] = async (server, joining) => {
    const { listUpstreams } = runtimeFor(server)
    if (!listUpstreams) return []
    const isInsisting = joining !== undefined
    return balanceEdges(ctx, hosts, { server, listUpstreams, isInsisting, ...(joining && { joining }) })
  }
  return {
    apply: async (server) => {
      if (server.edge === 'haproxy') return updateHaproxyEdge(ctx, hosts, { server, isForced: true })
      await refreshEmbedded()
      return []
    },
    balance,
    retryLeftOut: async (server) => {
      if (server.edge === 'embedded' || !(await hasLostManager(ctx, hosts, server))) return []
      const leftOut = await updateHaproxyEdge(ctx, hosts, { server, isForced: true })
      return leftOut.length > 0 ? leftOut : balance(server, [])
    },
    countStreams: async (server, ports) => {
      if (server.edge === 'embedded') return ctx.embeddedEdge.countStreams(ports)
      const { results } = await onEdgeMachines(ctx, hosts, { server }, (machine) =>
        countStreams(machine.host, haproxyFolderOf(ctx, server), ports),
      )
      return results.reduce((sum, count) => sum + count, 0)
    },
    visit: (server, route) => {
      if (server.edge === 'embedded') return visitApplication(route)
      return visitDomain(hosts.of(server), haproxyFolderOf(ctx, server), route.domain)
    },
  }
}
