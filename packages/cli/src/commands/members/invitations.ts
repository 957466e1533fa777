// `shipway members invitations`: invitations that are still open.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { listInvitations } from '../../target/find-invitation.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { fromNow } from '../../terminal/times.ts'

export const membersInvitations = command({
  flags: {},
  examples: [['shipway members invitations', 'Who was invited and has not joined yet']],
  run: async (ctx) => {
    const client = await ctx.client()
    const invitations = await listInvitations(client, await findOwnOrganization(ctx, client))
    report(ctx, invitations, () => {
      if (invitations.length === 0) return ['No open invitations']
      const rows = invitations.map((each) => [
        plainText(each.email),
        each.role,
        plainText(each.invited_by.name),
        each.is_void ? 'void: invite again' : fromNow(each.expires_at),
      ])
      return tableLines({ head: ['E-MAIL', 'ROLE', 'INVITED BY', 'EXPIRES'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
