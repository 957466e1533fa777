// `shipway members list`: who belongs to an organization.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { listMembers } from '../../target/find-member.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago } from '../../terminal/times.ts'

export const membersList = command({
  flags: {},
  examples: [
    ['shipway members list', 'All members, with their roles'],
    ['shipway members list --org tidewater --json', 'Those of one organization, for a script'],
  ],
  run: async (ctx) => {
    const client = await ctx.client()
    const members = await listMembers(client, await findOwnOrganization(ctx, client))
    report(ctx, members, () => {
      const rows = members.map(({ user, role, since, has_two_factor: hasTwoFactor }) => [
        plainText(user.name),
        plainText(user.email),
        role,
        hasTwoFactor === null ? '' : hasTwoFactor ? 'on' : 'off',
        ago(since),
        String(user.id),
      ])
      return tableLines({ head: ['NAME', 'E-MAIL', 'ROLE', '2FA', 'SINCE', 'ID'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
