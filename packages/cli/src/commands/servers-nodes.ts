// `shipway servers nodes`: the nodes of a Docker Swarm.
import type { SwarmNode } from '@shipway/api'
import { hasNodes } from '@shipway/api/values/runtime-facts'
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { serverWord } from '../target/command-words.ts'
import { chooseOnlyServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const serversNodes = command({
  words: [{ name: '[server]', description: 'name or id; optional if there is only one' }],
  flags: {},
  notes: 'Reaches no server: a manager is asked every 15 seconds.',
  examples: [['shipway servers nodes m1', 'Their state, role, address, free memory and disk, and labels']],
  run: async (ctx, { words: [wanted] }) => {
    const client = await ctx.client()
    const server = chooseOnlyServer(wanted, await listServers(client))
    report(ctx, server.nodes, () => {
      if (server.nodes.length === 0) return [hasNodes[server.runtime] ? NOT_LISTED : ONE_MACHINE]
      const head = ['NAME', 'ROLE', 'STATE', 'AVAILABILITY', 'ADDRESS', 'CPUS', 'MEMORY', 'FREE', 'FREE DISK', 'LABELS']
      return tableLines({ head, rows: server.nodes.map(rowOf) }, ctx.out.size()?.columns)
    })
    const silent = server.nodes.filter(isSilent).map(({ name }) => plainText(name))
    if (silent.length > 0) say(ctx, '', `No report of ${silent.join(', ')}. ${SILENT}`)
    if (server.nodes.length > 0) say(ctx, '', `Add one: shipway servers join ${serverWord(server)}`)
    return EXIT.done
  },
})

/** It should report what it uses. */
const isSilent = (node: SwarmNode): boolean => node.state === 'ready' && node.free_memory_bytes === null

const SILENT =
  'Run the setup or join line of the node again, and let the managers reach its port 5444. Until then, metrics leave its containers out.'

const NOT_LISTED = 'No manager has listed its nodes yet. Check the server: shipway servers check --help'
const ONE_MACHINE = 'The server is one machine and has no nodes'

const rowOf = (node: SwarmNode): readonly string[] => [
  plainText(node.name),
  node.is_leader ? 'leader' : node.role,
  node.state,
  node.availability,
  plainText(node.address),
  String(node.cpus),
  inGibibytes(node.memory_bytes),
  inGibibytes(node.free_memory_bytes),
  inGibibytes(node.free_disk_bytes),
  plainText(
    Object.entries(node.labels)
      .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
      .join(' '),
  ),
]

const inGibibytes = (bytes: number | null): string => (bytes === null ? '-' : `${(bytes / 1024 ** 3).toFixed(1)} GiB`)
