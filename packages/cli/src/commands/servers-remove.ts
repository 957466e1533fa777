// `shipway servers remove`: forgets a server that no project uses.
import { command, YES_FLAG } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

export const serversRemove = command({
  words: [{ name: 'server', description: 'its name or id' }],
  flags: YES_FLAG,
  notes: 'Only the record is deleted. Nothing on the machine changes.',
  examples: [
    ['shipway servers remove harbor', 'Asks first'],
    ['shipway servers remove harbor --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const server = chooseServer(wanted, await listServers(client))
    const name = `${plainText(server.name)} (${plainText(server.hostname)})`
    await confirm(ctx, flags, {
      consequence: `The server ${name} would be removed`,
      question: `Remove the server ${name}? Nothing on the machine changes.`,
      refusal: 'Nothing was removed',
    })
    await client.deleteServer({ params: { id: server.id } })
    report(ctx, { id: server.id, deleted: true }, () => [`Removed the server ${name}`])
    return EXIT.done
  },
})
