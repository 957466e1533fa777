// `shipway servers edit`: changes how a server is called and reached.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { changedNames, changesOf, orNull, readNumber } from '../settings.ts'
import { serverWord } from '../target/command-words.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversEdit = command({
  words: [{ name: 'server', description: 'its name or id' }],
  flags: {
    name: { value: 'name', description: 'its name' },
    hostname: { value: 'host', description: 'host name or address for ssh' },
    port: { value: 'port', description: 'ssh port' },
    user: { value: 'user', description: 'user that the platform signs in as' },
    hostKey: { value: 'key', description: 'the key that the server must show; none: pin the next one that it shows' },
  },
  examples: [
    ['shipway servers edit harbor --hostname 203.0.113.7', 'After it moved'],
    ['shipway servers edit harbor --host-key none', 'After it was reinstalled'],
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
    })
    const server = await client.updateServer({ params: { id }, body: changes })
    report(ctx, server, () => [`Changed ${changedNames(changes)} of ${plainText(server.name)}`])
    say(ctx, `Check it: shipway servers check ${serverWord(server)}`)
    return EXIT.done
  },
})
