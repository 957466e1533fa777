// `shipway servers join`: the line that makes a machine a node of a Docker Swarm.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { serverWord } from '../target/command-words.ts'
import { chooseOnlyServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversJoin = command({
  words: [{ name: '[server]', description: 'name or id; optional if there is only one' }],
  flags: { manager: { description: 'for a manager, which can take over (default: for a worker)' } },
  notes: 'The line holds a secret. It is asked of the Swarm each time, and the audit log says who got it.',
  examples: [
    ['shipway servers join m1', 'For a worker'],
    ['shipway servers join m1 --manager', 'For a manager'],
  ],
  run: async (ctx, { words: [wanted], flags }) => {
    const client = await ctx.client()
    const server = chooseOnlyServer(wanted, await listServers(client))
    const role = flags.manager ? 'manager' : 'worker'
    const line = await client.joinServer({ params: { id: server.id }, body: { role } })
    report(ctx, line, () => [plainText(line.command)])
    say(ctx, '', `Run that line on the new machine as root. Then: shipway servers nodes ${serverWord(server)}`)
    return EXIT.done
  },
})
