// `shipway platform delete-user`: deletes an account, by its e-mail address. For platform admins.
import { command, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findAccount } from '../../target/find-account.ts'
import { readId } from '../../target/find-by-name.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const platformDeleteUser = command({
  words: [{ name: 'email', description: 'e-mail address of the account' }],
  flags: {
    ...YES_FLAG,
    newOwner: { value: 'id', description: 'id of the user who gets their projects and environments' },
  },
  notes: 'Sessions, tokens and ssh certificates end at once. The name stays in the audit log.',
  examples: [['shipway platform delete-user ada@example.com', 'Asks first']],
  run: async (ctx, { words: [email = ''], flags }) => {
    const client = await ctx.client()
    const user = await findAccount(client, email)
    const name = `${plainText(user.name)} <${plainText(user.email)}>`
    await confirm(ctx, flags, {
      consequence: `The account of ${name} would be deleted`,
      question: `Delete the account of ${name}? They are signed out everywhere.`,
      refusal: 'Nothing was deleted',
    })
    const newOwnerId = readId(flags.newOwner ?? '')
    await client.deleteUser({
      params: { id: user.id },
      body: newOwnerId === undefined ? {} : { new_owner_id: newOwnerId },
    })
    report(ctx, { id: user.id, deleted: true }, () => [`Deleted the account of ${name}`])
    return EXIT.done
  },
})
