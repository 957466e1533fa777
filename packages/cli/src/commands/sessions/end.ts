// `shipway sessions end`: signs you out somewhere else, or everywhere.
import { command, YES_FLAG } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const sessionsEnd = command({
  words: [{ name: '[session]', description: 'its id, as in shipway sessions list' }],
  flags: { ...YES_FLAG, all: { description: 'every browser and command line, this one too; personal tokens stay' } },
  examples: [
    ['shipway sessions end 9f2c1a', 'Sign out there'],
    ['shipway sessions end --all', 'Sign out everywhere; asks first'],
  ],
  run: async (ctx, { words: [session], flags }) => {
    if ((session === undefined) !== flags.all) throw UsageError('Give the id of a session, or --all')
    const client = await ctx.client()
    if (session !== undefined) {
      await client.deleteSession({ params: { id: session } })
      report(ctx, { id: session, ended: true }, () => [`Ended the session ${plainText(session)}`])
      return EXIT.done
    }
    await confirm(ctx, flags, {
      consequence: 'You would be signed out everywhere, here too',
      question: 'Sign out of every browser and command line, here too?',
      refusal: 'Nothing was ended',
    })
    await client.signOut({ body: { everywhere: true } })
    report(ctx, { everywhere: true, ended: true }, () => ['Signed out everywhere'])
    return EXIT.done
  },
})
