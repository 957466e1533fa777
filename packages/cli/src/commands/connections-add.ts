// `shipway connections add`: connects a git host. Its token is typed or piped in, so that no other user sees it.
import { CONNECTION_TYPES, ConnectionType } from '@shipway/api'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findOwnOrganization } from '../target/find-own-organization.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'

/** GitHub makes the credentials of an App in a browser. */
const BY_TOKEN = ConnectionType.exclude(['github_app'])

export const connectionsAdd = command({
  words: [{ name: 'type', description: BY_TOKEN.options.join(', ') }],
  flags: {
    name: { value: 'name', description: 'its name (default: the name of the git host)' },
    address: { value: 'address', description: 'address of the git host, such as https://git.example.com' },
  },
  notes: 'The token is typed and not shown, or piped in. For GitHub, open Connections in the dashboard.',
  examples: [
    ['shipway connections add gitlab', 'gitlab.com; the token is typed and not shown'],
    ['shipway connections add forgejo --address https://codeberg.org <token.txt', 'The token is piped in'],
    ['shipway connections add bitbucket --address https://bitbucket.org/acme', 'The address names the workspace'],
  ],
  run: async (ctx, { words: [word = ''], flags }) => {
    const type = BY_TOKEN.safeParse(word).data
    if (type === undefined && word === 'github_app')
      throw UsageError('A GitHub App is made in a browser: open Connections in the dashboard')
    if (type === undefined) throw UsageError(`Give a type: ${BY_TOKEN.options.join(', ')}`)
    const { title, baseUrl } = CONNECTION_TYPES[type]
    if (baseUrl === null && flags.address === undefined)
      throw UsageError(
        type === 'bitbucket'
          ? 'Give the address of your workspace: --address https://bitbucket.org/acme'
          : `Give the address of ${title}: --address`,
      )
    const [[, token] = ['', '']] = await readValues(ctx, ['token'])
    if (token === '') throw UsageError('The token is empty')
    const client = await ctx.client()
    const connection = await client.createConnection({
      params: { id: await findOwnOrganization(ctx, client) },
      body: {
        type,
        name: flags.name ?? title,
        token,
        ...(flags.address !== undefined && { base_url: flags.address }),
      },
    })
    report(ctx, connection, () => [
      `Connected ${plainText(connection.name)} (${connection.id}) to ${plainText(connection.base_url)}`,
    ])
    return EXIT.done
  },
})
