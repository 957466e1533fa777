// `shipway platform users`: all accounts of the installation. For platform admins.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { PAGE_SIZE, readAllPages } from '../../target/read-all-pages.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago } from '../../terminal/times.ts'

export const platformUsers = command({
  flags: { email: { value: 'address', description: 'only the account with this e-mail address' } },
  examples: [['shipway platform users', 'Newest first']],
  run: async (ctx, { flags }) => {
    const client = await ctx.client()
    const filter = flags.email === undefined ? {} : { email: flags.email }
    const users = await readAllPages((cursor) =>
      client.raw.findAccounts({ query: { ...filter, limit: PAGE_SIZE, cursor } }),
    )
    report(ctx, users, () => {
      if (users.length === 0) return ['No such account']
      const rows = users.map((user) => [
        plainText(user.name),
        plainText(user.email),
        user.is_platform_admin ? 'platform admin' : '',
        user.has_two_factor ? 'on' : 'off',
        user.organizations.map(({ name, role }) => `${plainText(name)} (${role})`).join(', '),
        ago(user.created_at),
        String(user.id),
      ])
      const head = ['NAME', 'E-MAIL', 'RIGHTS', '2FA', 'ORGANIZATIONS', 'CREATED', 'ID']
      return tableLines({ head, rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
