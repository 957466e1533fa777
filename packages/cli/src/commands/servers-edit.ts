// `shipway servers edit`: changes how a server is called and reached.
import type { ServerChanges } from '@shipway/api/servers'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { changedNames, changesOf, orNull, readNumber } from '../settings.ts'
import { serverWord } from '../target/command-words.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'

export const serversEdit = command({
  words: [{ name: 'server', description: 'its name or id' }],
  flags: {
    name: { value: 'name', description: 'its name' },
    hostname: { value: 'host', description: 'host name or address for ssh' },
    port: { value: 'port', description: 'ssh port' },
    user: { value: 'user', description: 'user that the platform signs in as' },
    managers: { value: 'hosts', description: 'managers of a Swarm, with commas between them; the one in use stays' },
    registry: { value: 'address', description: 'registry for the images of a Swarm; none: the one on its managers' },
    registryUser: { value: 'user', description: 'who signs in there, the password is typed or piped in' },
    hostKey: { value: 'key', description: 'the key that the server must show; none: pin the next one that it shows' },
  },
  examples: [
    ['shipway servers edit harbor --hostname 203.0.113.7', 'After it moved'],
    ['shipway servers edit harbor --host-key none', 'After it was reinstalled'],
    [
      'shipway servers edit m1 --managers m1.example.com,m2.example.com:2222',
      'The second takes over when the first is lost',
    ],
    ['shipway servers edit m1 --registry registry.example.com --registry-user shipway', 'Send the images there'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const { id } = chooseServer(wanted, await listServers(client))
    const changes = changesOf({
      name: flags.name,
      hostname: flags.hostname,
      port: readNumber('--port', flags.port),
      user: flags.user,
      host_key: orNull(flags.hostKey, 'none'),
      managers: flags.managers?.split(',').map(readManager),
      registry: await readRegistry(ctx, flags),
    })
    const server = await client.updateServer({ params: { id }, body: changes })
    report(ctx, server, () => [`Changed ${changedNames(changes)} of ${plainText(server.name)}`])
    say(ctx, `Check it: shipway servers check ${serverWord(server)}`)
    return EXIT.done
  },
})

/** Undefined where it stays as it is, null for the one on the managers. */
async function readRegistry(
  ctx: Context,
  {
    registry: address,
    registryUser: username,
  }: { readonly registry: string | undefined; readonly registryUser: string | undefined },
): Promise<ServerChanges['registry']> {
  if (address === 'none' && username === undefined) return null
  if (address === undefined && username === undefined) return undefined
  if (address === undefined || address === 'none' || username === undefined)
    throw UsageError('Give --registry and --registry-user together; the password is typed or piped in')
  const [[, password] = ['', '']] = await readValues(ctx, [
    `Password of ${plainText(username)} at ${plainText(address)}`,
  ])
  return { address, username, password }
}

/** A host name or an address, and its ssh port unless that is 22. An IPv6 address with a port has brackets. */
function readManager(text: string): { readonly hostname: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(text.trim()) ?? []
  return { hostname: bracketed ?? plain ?? text.trim(), port: Number(port ?? 22) }
}
