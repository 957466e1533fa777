// `shipway tokens revoke`: revokes a personal token.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findToken } from '../../target/find-token.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { ago } from '../../terminal/times.ts'

export const tokensRevoke = command({
  words: [{ name: 'token', description: 'its name or id' }],
  flags: YES_FLAG,
  examples: [
    ['shipway tokens revoke CI', 'Asks first'],
    ['shipway tokens revoke 12 --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const token = await findToken(client, wanted)
    const used = token.last_used_at === null ? 'never used' : `last used ${ago(token.last_used_at)}`
    const name = `${plainText(token.name)} (${token.id}, ${used})`
    await confirm(ctx, flags, {
      consequence: `The token ${name} would be revoked`,
      question: `Revoke the token ${name}? Programs that use it are refused at once.`,
      refusal: 'Nothing was revoked',
    })
    await client.deleteToken({ params: { id: token.id } })
    report(ctx, { id: token.id, revoked: true }, () => [`Revoked the token ${plainText(token.name)}`])
    return EXIT.done
  },
})
