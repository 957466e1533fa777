// `shipway orgs rename`: renames an organization.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findOwnOrganization } from '../../target/find-own-organization.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const orgsRename = command({
  words: [{ name: 'name', description: 'its new name' }],
  flags: {},
  notes: 'Renames the organization that --org names, or your only one.',
  examples: [["shipway orgs rename 'Tidewater' --org 'Tidewater Books'", 'Its id and addresses stay']],
  run: async (ctx, { words: [name = ''] }) => {
    const client = await ctx.client()
    const params = { id: await findOwnOrganization(ctx, client) }
    const organization = await client.updateOrganization({ params, body: { name } })
    report(ctx, organization, () => [`The organization is called ${plainText(organization.name)} now`])
    return EXIT.done
  },
})
