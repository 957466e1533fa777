// `shipway connections remove`: deletes a connection that no project uses.
import { command } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findConnection } from '../target/find-connection.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'

export const connectionsRemove = command({
  words: [{ name: 'connection', description: 'its name or id' }],
  flags: { yes: { short: 'y', description: 'do not ask; required without a terminal' } },
  examples: [
    ['shipway connections remove GitLab', 'Asks first'],
    ['shipway connections remove GitLab --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const connection = await findConnection(ctx, client, wanted)
    const name = plainText(connection.name)
    if (!flags.yes) {
      if (!canAsk(ctx)) throw UsageError(`The connection ${name} would be deleted`, 'Confirm with --yes')
      if (!(await askYesNo(ctx, `Delete the connection ${name}? Its token is not kept.`)))
        throw new CommandError('Nothing was deleted', { code: 'not_confirmed' })
    }
    await client.deleteConnection({ params: { id: connection.id } })
    report(ctx, { id: connection.id, deleted: true }, () => [`Deleted the connection ${name}`])
    say(ctx, `Revoke its token at ${plainText(connection.base_url)}, too.`)
    return EXIT.done
  },
})
