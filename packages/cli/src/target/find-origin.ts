// The repository that `--from` names: `github:owner/name`, or the name of a connection in place of `github`.
import type { Client, ConnectionType, GitConnection } from '@shipway/api'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findByName } from './find-by-name.ts'
import { listConnections } from './find-connection.ts'

export type Origin = { readonly connection: GitConnection; readonly repository: string }

export async function findOrigin(ctx: Context, client: Client, from: string): Promise<Origin> {
  const [, wanted, repository] = /^([^:]+):([^:/]+\/[^:]+)$/.exec(from) ?? []
  if (wanted === undefined || repository === undefined)
    throw UsageError(`Name the repository as github:owner/name; ${plainText(from)} is not of this form`)
  return { connection: chooseConnection(wanted, await listConnections(ctx, client)), repository }
}

/** Names of git hosts, as users write them. */
const TYPES: Readonly<Record<string, ConnectionType>> = {
  github: 'github_app',
  gitlab: 'gitlab',
  gitea: 'gitea',
  forgejo: 'forgejo',
  bitbucket: 'bitbucket',
  bitbucket_server: 'bitbucket_server',
}

/** A connection's own name comes first. */
function chooseConnection(wanted: string, connections: readonly GitConnection[]): GitConnection {
  const isCalledSo = connections.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const type = TYPES[wanted.toLowerCase()]
  if (isCalledSo || type === undefined) return findByName('connection', wanted, connections)
  const ofType = connections.filter((connection) => connection.type === type)
  const [only, ...others] = ofType
  if (only === undefined) throw NotConnected(wanted, type)
  if (others.length === 0) return only
  throw new CommandError(`Several connections are of the type ${plainText(wanted)}`, {
    code: 'connection_ambiguous',
    exitCode: EXIT.usage,
    advice: [`Name one of them: ${ofType.map(({ name }) => plainText(name)).join(', ')}`],
  })
}

const NotConnected = (wanted: string, type: ConnectionType): CommandError =>
  new CommandError(`The organization has no connection to ${plainText(wanted)}`, {
    code: 'connection_not_found',
    exitCode: EXIT.notFound,
    advice: [
      type === 'github_app'
        ? 'Open Connections in the dashboard to add one'
        : `Add one: shipway connections add ${type}`,
    ],
  })
