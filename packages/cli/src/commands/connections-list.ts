// `shipway connections list`: the git hosts that an organization has connected.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { listConnections } from '../target/find-connection.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const connectionsList = command({
  flags: {},
  notes: 'Tokens are never shown.',
  examples: [
    ['shipway connections list', 'All of them'],
    ['shipway connections list --org tidewater --json', 'Those of one organization, for a script'],
  ],
  run: async (ctx) => {
    const connections = await listConnections(ctx, await ctx.client())
    report(ctx, connections, () => {
      if (connections.length === 0) return ['No connections yet. Add one: shipway connections add --help']
      const rows = connections.map((connection) => [
        plainText(connection.name),
        connection.type,
        plainText(connection.base_url),
        plainText(connection.account ?? '-'),
        String(connection.project_count),
        connection.status,
      ])
      const head = ['NAME', 'TYPE', 'ADDRESS', 'ACCOUNT', 'PROJECTS', 'STATUS']
      const reasons = connections.flatMap(({ name, status_reason: reason }) =>
        reason === null ? [] : [`${plainText(name)}: ${plainText(reason)}`],
      )
      return [...tableLines({ head, rows }, ctx.out.size()?.columns), ...(reasons.length > 0 ? ['', ...reasons] : [])]
    })
    return EXIT.done
  },
})
