// `shipway platform end-sessions`: signs a user out, somewhere or everywhere. For platform admins.
import { command, YES_FLAG } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findAccount } from '../../target/find-account.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const platformEndSessions = command({
  words: [
    { name: 'email', description: 'e-mail address of the account' },
    { name: '[session]', description: 'its id, as in shipway platform sessions' },
  ],
  flags: {
    ...YES_FLAG,
    all: { description: 'every browser and command line; personal tokens stay' },
    tokens: { description: 'with --all: revoke the personal tokens, too' },
  },
  examples: [
    ['shipway platform end-sessions ada@example.com session-12', 'Sign a user out there'],
    ['shipway platform end-sessions ada@example.com --all', 'Sign a user out everywhere; asks first'],
    ['shipway platform end-sessions ada@example.com --all --tokens', 'The same, and revoke the personal tokens'],
  ],
  run: async (ctx, { words: [email = '', session], flags }) => {
    if (flags.tokens && !flags.all) throw UsageError('Give --tokens together with --all')
    if ((session === undefined) !== flags.all) throw UsageError('Give the id of a session, or --all')
    const client = await ctx.client()
    const { id, name } = await findAccount(client, email)
    if (session !== undefined) {
      await client.deleteUserSession({ params: { id, session_id: session } })
      report(ctx, { id: session, ended: true }, () => [`Ended the session ${plainText(session)}`])
      return EXIT.done
    }
    const person = plainText(name)
    await confirm(ctx, flags, {
      consequence: `${person} would be signed out everywhere${flags.tokens ? ', and the personal tokens revoked' : ''}`,
      question: `Sign ${person} out of every browser and command line${flags.tokens ? ', and revoke the personal tokens' : ''}?`,
      refusal: 'Nothing was ended',
    })
    await client.deleteUserSessions({ params: { id } })
    const revoked = flags.tokens ? (await client.deleteUserTokens({ params: { id } })).revoked : undefined
    report(ctx, { id, ended: true, ...(revoked !== undefined && { revoked_tokens: revoked }) }, () => [
      `Signed ${person} out everywhere`,
      ...(revoked === undefined ? [] : [`Revoked ${revoked} personal ${revoked === 1 ? 'token' : 'tokens'}`]),
    ])
    return EXIT.done
  },
})
