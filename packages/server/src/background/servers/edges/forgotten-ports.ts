// The ports of tasks that run, and whose ports the runtime has forgotten.
//
// A node of a Swarm reports its tasks again when it signs in to another leading manager, and the Engine then leaves out their ports, though the
// containers go on as before. A task has one port as long as it runs, so what an edge was told before still holds.
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import type { BalanceGroup, ListedGroup } from '../../../edge/balance-group.ts'
import { readUpstreams } from '../../../edge/haproxy/read-upstreams.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { onEdgeMachines } from './edge-machines.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'

type Listed = {
  readonly server: ServerAddress
  readonly signal: AbortSignal | undefined
  readonly groups: readonly ListedGroup[]
}

/** With the ports that one of the edges knows. Tasks at unknown ports are left out. */
export async function withForgottenPorts(
  ctx: Context,
  hosts: Hosts,
  { server, signal, groups }: Listed,
): Promise<readonly BalanceGroup[]> {
  const isForgotten = groups.some(({ upstreams }) => upstreams.some(({ port }) => port === null))
  const known = isForgotten ? await readKnownPorts(ctx, hosts, { server, signal }) : new Map<string, number>()
  return groups.map(({ port: group, upstreams }) => ({
    port: group,
    upstreams: upstreams.flatMap(({ port: listed, ...task }) => {
      const port = listed ?? known.get(keyOf(group, task))
      return port === undefined ? [] : [{ ...task, port }]
    }),
  }))
}

async function readKnownPorts(
  ctx: Context,
  hosts: Hosts,
  machines: Pick<Listed, 'server' | 'signal'>,
): Promise<ReadonlyMap<string, number>> {
  const folder = haproxyFolderOf(ctx, machines.server)
  const { results } = await onEdgeMachines(ctx, hosts, machines, ({ host }) => readUpstreams(host, folder))
  const groups = results.flat()
  return new Map(
    groups.flatMap(({ port: group, upstreams }) =>
      upstreams.map((upstream) => [keyOf(group, upstream), upstream.port] as const),
    ),
  )
}

/** Of a task on its node in its group: neither changes as long as it runs. */
const keyOf = (group: number, { name, address }: { readonly name: string; readonly address: string }): string =>
  `${group} ${name} ${address}`
