// `shipway members role`: changes the role of a member.
import { command } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { nearest } from '../../nearest.ts'
import { report } from '../../report.ts'
import { readChoice } from '../../settings.ts'
import { findMember } from '../../target/find-member.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { ROLES } from '../../target/roles.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const membersRole = command({
  words: [
    { name: 'member', description: 'name, e-mail address or id' },
    { name: 'role', description: ROLES.join(', ') },
  ],
  flags: { newOwner: { value: 'member', description: 'who gets the projects and environments of a new viewer' } },
  examples: [['shipway members role ada@example.com admin', 'Make Ada an admin']],
  run: async (ctx, { words: [wanted = '', word = ''], flags }) => {
    const role = readChoice(ROLES, word)
    if (role === undefined) {
      const near = nearest(word, ROLES)
      throw UsageError(`${plainText(word)} is not a role${near ? `. Did you mean ${near}?` : ''}`, ROLES.join(', '))
    }
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    const { user } = await findMember(client, id, wanted)
    const newOwner = flags.newOwner === undefined ? undefined : await findMember(client, id, flags.newOwner)
    const member = await client.updateMember({
      params: { id, user_id: user.id },
      body: { role, ...(newOwner && { new_owner_id: newOwner.user.id }) },
    })
    report(ctx, member, () => [`${plainText(member.user.name)} is ${member.role} now`])
    return EXIT.done
  },
})
