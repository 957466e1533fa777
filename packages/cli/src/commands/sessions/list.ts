// `shipway sessions list`: where you are signed in.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago } from '../../terminal/times.ts'

export const sessionsList = command({
  flags: {},
  notes: 'Personal tokens are listed with shipway tokens list.',
  examples: [['shipway sessions list', 'Browsers and command lines, last used first']],
  run: async (ctx) => {
    const sessions = await (await ctx.client()).listSessions()
    report(ctx, sessions, () => {
      if (sessions.length === 0) return ['You are signed in nowhere else']
      const rows = sessions.map((session) => [
        plainText(session.id),
        session.kind === 'oauth' ? 'command line' : plainText(session.user_agent ?? 'browser'),
        plainText(session.address ?? ''),
        ago(session.created_at),
        session.last_used_at === null ? '' : ago(session.last_used_at),
        session.is_current ? 'this one' : '',
      ])
      const head = ['ID', 'WHERE', 'ADDRESS', 'STARTED', 'USED', '']
      return tableLines({ head, rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
