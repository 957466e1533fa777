// `shipway platform sessions`: where a user is signed in. For platform admins.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findAccount } from '../../target/find-account.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { sessionTable } from '../../terminal/session-table.ts'

export const platformSessions = command({
  words: [{ name: 'email', description: 'e-mail address of the account' }],
  flags: {},
  examples: [['shipway platform sessions ada@example.com', 'Browsers and command lines, last used first']],
  run: async (ctx, { words: [email = ''] }) => {
    const client = await ctx.client()
    const user = await findAccount(client, email)
    const sessions = await client.listUserSessions({ params: { id: user.id } })
    report(ctx, sessions, () =>
      sessions.length === 0
        ? [`${plainText(user.name)} is signed in nowhere`]
        : sessionTable(sessions, ctx.out.size()?.columns),
    )
    return EXIT.done
  },
})
