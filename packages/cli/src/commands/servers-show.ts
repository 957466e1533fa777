// `shipway servers show`: a server, its last check, what it uses, and what runs on it.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { serverLines } from '../servers/server-lines.ts'
import { serverWord } from '../target/command-words.ts'
import { chooseOnlyServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversShow = command({
  words: [{ name: '[server]', description: 'name or id; optional if there is only one' }],
  flags: {},
  notes: 'Reaches no server: it shows what the last check found. shipway servers check checks it now.',
  examples: [
    ['shipway servers show harbor', 'Its state and its environments'],
    ['shipway servers show harbor --json | jq .health.disk', 'Its disk, for a script'],
  ],
  run: async (ctx, { words: [wanted] }) => {
    const client = await ctx.client()
    const params = { id: chooseOnlyServer(wanted, await listServers(client)).id }
    const [server, health, metrics] = await Promise.all([
      client.getServer({ params }),
      client.getServerHealth({ params }),
      client.getServerMetrics({ params, query: { range: '2h' } }),
    ])
    report(ctx, { ...server, health, metrics }, () =>
      serverLines({ server, health, metrics }, { paint: ctx.out.paint, columns: ctx.out.size()?.columns }),
    )
    if (server.needs_setup && server.setup_command !== null) {
      say(ctx, '', 'Run this line on the server as root:', '', plainText(server.setup_command))
    }
    if (health.checked_at === null) say(ctx, '', `Check it: shipway servers check ${serverWord(server)}`)
    return EXIT.done
  },
})
