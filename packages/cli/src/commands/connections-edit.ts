// `shipway connections edit`: renames a connection, or replaces its token.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { changedNames, changesOf } from '../settings.ts'
import { findConnection } from '../target/find-connection.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'

export const connectionsEdit = command({
  words: [{ name: 'connection', description: 'its name or id' }],
  flags: {
    name: { value: 'name', description: 'its name' },
    token: { description: 'replace its token: typed and not shown, or piped in' },
    privateKey: { description: 'replace the key of a GitHub App: piped in as PEM' },
  },
  notes: 'A new token is tried at once. If the git host refuses it, the earlier one stays.',
  examples: [
    ['shipway connections edit GitLab --token', 'The token is typed and not shown'],
    ['shipway connections edit GitHub --private-key <key.pem', 'A key that GitHub generated for the App'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const { id } = await findConnection(ctx, client, wanted)
    const asked = [...(flags.token ? ['token'] : []), ...(flags.privateKey ? ['private key'] : [])]
    const typed = Object.fromEntries(await readValues(ctx, asked))
    const changes = changesOf({ name: flags.name, token: typed.token, private_key: typed['private key'] })
    const connection = await client.updateConnection({ params: { id }, body: changes })
    report(ctx, connection, () => [`Changed ${changedNames(changes)} of ${plainText(connection.name)}`])
    return EXIT.done
  },
})
