// `shipway orgs list`: your organizations, and your role in each.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { PAGE_SIZE, readAllPages } from '../../target/read-all-pages.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago } from '../../terminal/times.ts'

export const orgsList = command({
  flags: {},
  examples: [['shipway orgs list', 'With your role in each']],
  run: async (ctx) => {
    const client = await ctx.client()
    const organizations = await readAllPages((cursor) =>
      client.raw.listOrganizations({ query: { limit: PAGE_SIZE, cursor } }),
    )
    report(ctx, organizations, () => {
      if (organizations.length === 0) return ['You are in no organization yet']
      const rows = organizations.map((each) => [plainText(each.name), each.role, ago(each.created_at), String(each.id)])
      return tableLines({ head: ['NAME', 'YOUR ROLE', 'CREATED', 'ID'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
