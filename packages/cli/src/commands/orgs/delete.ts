// `shipway orgs delete`: deletes an organization without projects and servers, always by name.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findByName, readId } from '../../target/find-by-name.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const orgsDelete = command({
  words: [{ name: 'organization', description: 'its name or id' }],
  flags: YES_FLAG,
  notes: 'Delete its projects and servers first. Members, invitations and the audit log go with it.',
  examples: [["shipway orgs delete 'Tidewater Books'", 'Asks first']],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const { organizations } = await client.getMe()
    const id = readId(wanted)
    const found = organizations.find((each) => each.id === id) ?? findByName('organization', wanted, organizations)
    const name = plainText(found.name)
    await confirm(ctx, flags, {
      consequence: `The organization ${name} would be deleted with its members and its audit log`,
      question: `Delete the organization ${name} with its members and its audit log?`,
      refusal: 'Nothing was deleted',
    })
    await client.deleteOrganization({ params: { id: found.id } })
    report(ctx, { id: found.id, deleted: true }, () => [`Deleted the organization ${name}`])
    return EXIT.done
  },
})
