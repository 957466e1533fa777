// The upstreams of all groups as balance.sh reads them. They come from nodes and containers, and each value becomes part of a command to
// HAProxy and of its configuration: what is not exactly of its form is left out.
import { canonicalIp, mayConnectTo, privateNetworks } from '@shipway/api/values/ip-address'
import { balanceGroups } from '../../domain/balance-groups.ts'
import type { BalanceGroup, Upstream } from '../balance-group.ts'

export type UpstreamList = {
  readonly text: string
  /** `port/name`, as JSON where they hold other characters. At most a hundred. */
  readonly refused: readonly string[]
}

/** More tasks than a service may have replicas, in two versions. A larger group keeps its first ones and takes nothing from the others. */
const MAX_UPSTREAMS = 250
const MAX_REFUSED = 100

/** Sorted, so that the same upstreams give the same text. */
export function upstreamList(groups: readonly BalanceGroup[]): UpstreamList {
  const lines = new Map<string, string>()
  const sizes = new Map<number, number>()
  const refused: string[] = []
  for (const { port, upstreams } of groups) {
    for (const upstream of upstreams) {
      const size = sizes.get(port) ?? 0
      if (isGroup(port) && isSound(upstream) && !lines.has(upstream.name) && size < MAX_UPSTREAMS) {
        lines.set(upstream.name, `${port} ${upstream.name} ${upstream.address} ${upstream.port}\n`)
        sizes.set(port, size + 1)
      } else if (refused.length < MAX_REFUSED) refused.push(JSON.stringify(`${port}/${upstream.name}`.slice(0, 100)))
    }
  }
  return { text: [...lines.values()].sort().join(''), refused }
}

const isGroup = (port: number): boolean =>
  Number.isInteger(port) && port >= balanceGroups.first && port <= balanceGroups.last

function isSound({ name, address, port }: Upstream): boolean {
  return (
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) &&
    canonicalIp(address) === address &&
    mayConnectTo(address, nodeNetworks) &&
    Number.isInteger(port) &&
    port >= 1 &&
    port <= 65_535
  )
}

/** A Swarm of one machine may know it by a loopback address. Where clouds answer their own machines is no node. */
const nodeNetworks = [...privateNetworks, '127.0.0.0/8', '::1']
