// `shipway platform two-factor`: requires two-factor codes of every user, or no longer. For platform admins.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { PAGE_SIZE, readAllPages } from '../../target/read-all-pages.ts'
import { confirm } from '../../terminal/confirm.ts'
import { lockedOutLines } from '../../terminal/locked-out.ts'
import { readOnOff } from '../../terminal/on-off.ts'

export const platformTwoFactor = command({
  words: [{ name: 'on-or-off', description: 'on or off' }],
  flags: YES_FLAG,
  notes: 'Users without two-factor codes reach nothing but their profile until they turn them on.',
  examples: [['shipway platform two-factor on', 'Shows who would be locked out, and asks first']],
  run: async (ctx, { words: [word = ''], flags }) => {
    const isOn = readOnOff(word)
    const client = await ctx.client()
    if (isOn) {
      const users = await readAllPages((cursor) => client.raw.findAccounts({ query: { limit: PAGE_SIZE, cursor } }))
      const without = users.filter((user) => !user.has_two_factor)
      for (const line of lockedOutLines(without)) ctx.err.print(line)
      if (without.length > 0) {
        await confirm(ctx, flags, {
          consequence: `${without.length} users would be locked out`,
          question: 'Require two-factor codes of every user?',
          refusal: 'Nothing was changed',
        })
      }
    }
    const platform = await client.updatePlatform({ body: { require_two_factor: isOn } })
    report(ctx, platform, () => [
      isOn ? 'The platform requires two-factor codes now' : 'The platform no longer requires two-factor codes',
    ])
    return EXIT.done
  },
})
