// `shipway connections remove`: deletes a connection that no project uses.
import { command, YES_FLAG } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findConnection } from '../target/find-connection.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

export const connectionsRemove = command({
  words: [{ name: 'connection', description: 'its name or id' }],
  flags: YES_FLAG,
  examples: [
    ['shipway connections remove GitLab', 'Asks first'],
    ['shipway connections remove GitLab --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const connection = await findConnection(ctx, client, wanted)
    const name = plainText(connection.name)
    await confirm(ctx, flags, {
      consequence: `The connection ${name} would be deleted`,
      question: `Delete the connection ${name}? Its credentials are not kept.`,
      refusal: 'Nothing was deleted',
    })
    await client.deleteConnection({ params: { id: connection.id } })
    report(ctx, { id: connection.id, deleted: true }, () => [`Deleted the connection ${name}`])
    const rest = connection.type === 'github_app' ? 'Delete its App' : 'Revoke its token'
    say(ctx, `${rest} at ${plainText(connection.base_url)}, too.`)
    return EXIT.done
  },
})
