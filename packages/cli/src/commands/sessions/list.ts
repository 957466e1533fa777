// `shipway sessions list`: where you are signed in.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { sessionTable } from '../../terminal/session-table.ts'

export const sessionsList = command({
  flags: {},
  notes: 'Personal tokens are listed with shipway tokens list.',
  examples: [['shipway sessions list', 'Browsers and command lines, last used first']],
  run: async (ctx) => {
    const sessions = await (await ctx.client()).listSessions()
    report(ctx, sessions, () => {
      if (sessions.length === 0) return ['You are signed in nowhere else']
      return sessionTable(sessions, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
