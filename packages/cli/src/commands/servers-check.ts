// `shipway servers check`: checks each part of a server, and says how to fix what is wrong.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { checkLines } from '../servers/check-lines.ts'
import { chooseOnlyServer, listServers } from '../target/find-server.ts'

export const serversCheck = command({
  words: [{ name: '[server]', description: 'name or id; optional if there is only one' }],
  flags: {},
  notes: 'Exit code 1 if a check fails.',
  examples: [
    ['shipway servers check harbor', 'Check each part'],
    ['shipway servers check harbor --json', 'The same for a script'],
  ],
  run: async (ctx, { words: [wanted] }) => {
    const client = await ctx.client()
    const { id } = chooseOnlyServer(wanted, await listServers(client))
    const { checks } = await client.checkServer({ params: { id } })
    report(ctx, { server_id: id, checks }, () => checkLines(checks, ctx.out.paint, ctx.out.size()?.columns))
    return checks.some(({ status }) => status === 'failed') ? EXIT.error : EXIT.done
  },
})
