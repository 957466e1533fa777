// `shipway orgs create`: creates an organization, and makes you its owner.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const orgsCreate = command({
  words: [{ name: 'name', description: 'its name' }],
  flags: {},
  notes: 'For platform admins, unless the platform lets every user create organizations.',
  examples: [["shipway orgs create 'Tidewater Books'", 'You become its owner']],
  run: async (ctx, { words: [name = ''] }) => {
    const organization = await (await ctx.client()).createOrganization({ body: { name } })
    report(ctx, organization, () => [`Organization ${plainText(organization.name)} (${organization.id})`])
    return EXIT.done
  },
})
