// `shipway servers list`: the servers that the user can see.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const serversList = command({
  flags: {},
  examples: [
    ['shipway servers list', 'All of them'],
    ['shipway servers list --org tidewater --json', 'Those of one organization, for a script'],
  ],
  run: async (ctx) => {
    const servers = await listServers(await ctx.client())
    report(ctx, servers, () => {
      if (servers.length === 0) return ['No servers yet. Add one: shipway servers add --help']
      const rows = servers.map((server) => [
        plainText(server.name),
        server.connection === 'local' ? "the platform's own machine" : addressOf(server),
        server.edge,
        String(server.project_count),
        server.needs_setup ? 'needs setup' : 'set up',
      ])
      return tableLines({ head: ['NAME', 'ADDRESS', 'EDGE', 'PROJECTS', 'STATE'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

type Address = { readonly user: string; readonly hostname: string; readonly port: number }

const addressOf = ({ user, hostname, port }: Address): string =>
  `${plainText(user)}@${plainText(hostname)}${port === 22 ? '' : `:${port}`}`
