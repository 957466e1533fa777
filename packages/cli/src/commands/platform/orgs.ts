// `shipway platform orgs`: all organizations of the installation. For platform admins.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { PAGE_SIZE, readAllPages } from '../../target/read-all-pages.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago } from '../../terminal/times.ts'

export const platformOrgs = command({
  flags: {},
  notes: 'Names, owners and counts. What is in an organization is for its members alone.',
  examples: [['shipway platform orgs', 'Newest first']],
  run: async (ctx) => {
    const client = await ctx.client()
    const organizations = await readAllPages((cursor) =>
      client.raw.listAllOrganizations({ query: { limit: PAGE_SIZE, cursor } }),
    )
    report(ctx, organizations, () => {
      const rows = organizations.map((each) => [
        plainText(each.name),
        each.owners.map(({ name }) => plainText(name)).join(', '),
        String(each.member_count),
        String(each.project_count),
        String(each.server_count),
        ago(each.created_at),
        String(each.id),
      ])
      const head = ['NAME', 'OWNERS', 'MEMBERS', 'PROJECTS', 'SERVERS', 'CREATED', 'ID']
      return tableLines({ head, rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
