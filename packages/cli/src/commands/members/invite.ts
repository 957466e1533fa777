// `shipway members invite`: invites a user by e-mail.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report, say } from '../../report.ts'
import { readChoice } from '../../settings.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { ROLES } from '../../target/roles.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { fromNow } from '../../terminal/times.ts'

export const membersInvite = command({
  words: [{ name: 'email', description: 'e-mail address' }],
  flags: { role: { value: 'role', choices: ROLES, description: 'at most your own (default: member)' } },
  notes: 'A second invitation to the same address replaces the first.',
  examples: [
    ['shipway members invite ada@example.com', 'As a member'],
    ['shipway members invite ada@example.com --role admin', 'As an admin'],
  ],
  run: async (ctx, { words: [email = ''], flags }) => {
    const client = await ctx.client()
    const invitation = await client.createInvitation({
      params: { id: await findOwnOrganization(ctx, client) },
      body: { email, role: readChoice(ROLES, flags.role) ?? 'member' },
    })
    const { url } = invitation
    report(ctx, invitation, () => [
      `Invited ${plainText(invitation.email)} as ${invitation.role}; expires ${fromNow(invitation.expires_at)}`,
      ...(url === null ? [] : ['', plainText(url)]),
    ])
    if (url !== null) say(ctx, '', 'No mail server is set up, so pass this link on. It is shown only once.')
    return EXIT.done
  },
})
