// `shipway members withdraw`: withdraws an invitation.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findInvitation } from '../../target/find-invitation.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const membersWithdraw = command({
  words: [{ name: 'invitation', description: 'its e-mail address or id' }],
  flags: {},
  notes: 'Its link stops working. You can invite the same address again.',
  examples: [['shipway members withdraw ada@example.com', 'The link no longer works']],
  run: async (ctx, { words: [wanted = ''] }) => {
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    const invitation = await findInvitation(client, id, wanted)
    await client.deleteInvitation({ params: { id, invitation_id: invitation.id } })
    report(ctx, { id: invitation.id, deleted: true }, () => [
      `Withdrew the invitation of ${plainText(invitation.email)}`,
    ])
    return EXIT.done
  },
})
