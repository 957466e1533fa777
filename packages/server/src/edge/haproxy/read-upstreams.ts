// Reads what HAProxy on a server balances over, by the list that it was given last.
import type { Host } from '../../remote/host.ts'
import type { BalanceGroup } from '../balance-group.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { upstreamsCommand } from './haproxy-scripts.ts'

export async function readUpstreams(host: Host, folder: string): Promise<readonly BalanceGroup[]> {
  const [, lines = ''] = await askHaproxy(host, {
    command: upstreamsCommand(folder),
    expected: /^upstreams\n((?:\d{1,5} [\w-]{1,64} [0-9a-f.:]{1,45} \d{1,5}\n)*)$/,
  })
  const listed = lines.matchAll(/^(\d+) (\S+) (\S+) (\d+)$/gm)
  return Array.from(listed, ([, group, name = '', address = '', port]) => ({
    port: Number(group),
    upstreams: [{ name, address, port: Number(port) }],
  }))
}
