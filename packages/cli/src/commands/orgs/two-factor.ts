// `shipway orgs two-factor`: requires two-factor codes of every member, or no longer.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { listMembers } from '../../target/find-member.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { confirm } from '../../terminal/confirm.ts'
import { lockedOutLines } from '../../terminal/locked-out.ts'
import { readOnOff } from '../../terminal/on-off.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const orgsTwoFactor = command({
  words: [{ name: 'on-or-off', description: 'on or off' }],
  flags: YES_FLAG,
  notes:
    'Changes the organization that --org names, or your only one. Members without two-factor codes have no access until they turn them on.',
  examples: [
    ['shipway orgs two-factor on', 'Shows who would be locked out, and asks first'],
    ['shipway orgs two-factor off --yes', 'Codes are a choice again'],
  ],
  run: async (ctx, { words: [word = ''], flags }) => {
    const isOn = readOnOff(word)
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    if (isOn) {
      const without = (await listMembers(client, id)).filter((member) => member.has_two_factor === false)
      for (const line of lockedOutLines(without.map(({ user }) => user))) ctx.err.print(line)
      if (without.length > 0) {
        await confirm(ctx, flags, {
          consequence: `${without.length} members would be locked out`,
          question: 'Require two-factor codes?',
          refusal: 'Nothing was changed',
        })
      }
    }
    const organization = await client.updateOrganization({ params: { id }, body: { require_two_factor: isOn } })
    const name = plainText(organization.name)
    report(ctx, organization, () => [
      isOn ? `${name} requires two-factor codes now` : `${name} no longer requires two-factor codes`,
    ])
    return EXIT.done
  },
})
