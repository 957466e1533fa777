// `shipway members remove`: takes a member out of an organization.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findMember } from '../../target/find-member.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const membersRemove = command({
  words: [{ name: 'member', description: 'name, e-mail address or id' }],
  flags: {
    ...YES_FLAG,
    newOwner: { value: 'member', description: 'who gets their projects and environments (default: the oldest owner)' },
  },
  notes: 'Their tokens for this organization stop working. You can also leave an organization this way.',
  examples: [
    ['shipway members remove ada@example.com', 'Asks first'],
    ['shipway members remove ada@example.com --new-owner grace@example.com --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    const { user, role } = await findMember(client, id, wanted)
    const newOwner = flags.newOwner === undefined ? undefined : await findMember(client, id, flags.newOwner)
    const name = `${plainText(user.name)} <${plainText(user.email)}>, ${role}`
    await confirm(ctx, flags, {
      consequence: `${name} would be removed from the organization`,
      question: `Remove ${name} from the organization?`,
      refusal: 'Nothing was changed',
    })
    await client.removeMember({
      params: { id, user_id: user.id },
      body: newOwner ? { new_owner_id: newOwner.user.id } : {},
    })
    report(ctx, { user_id: user.id, removed: true }, () => [`Removed ${plainText(user.name)}`])
    return EXIT.done
  },
})
