/**
 * Lets git read a repository over https with a token of the project's connection. git asks a program for it, which prints the content of
 * a file beside itself: the token stands in no address, argument, environment or setting. The program answers for one host alone.
 */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askpassScript } from '../commands/git.ts'
import type { Secret } from '../secrets/secret.ts'
import { SourceError } from './source-error.ts'

export type RepositoryTokens = {
  /** As in an address, with its port: the only one that gets a token. */
  readonly host: string
  readonly username: string
  /** Throws a SourceError `access_refused` if the connection gives none. */
  readonly find: () => Promise<Secret>
  /** The host refused it: the next `find` gives another one. */
  readonly refuse: (token: Secret) => Promise<void>
}

type WithFolder = {
  readonly repository: { readonly address: string }
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
}

/** A refused token is replaced once: it may have been revoked, also in the middle of a fetch. All git calls here can be repeated. */
export async function useWithToken<Connection extends WithFolder, Result>(
  connection: Connection,
  tokens: RepositoryTokens,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { address } = connection.repository
  if (new URL(address).host !== tokens.host)
    throw new SourceError(
      'access_refused',
      `${address} is not at ${tokens.host}, which the connection of the project is for`,
    )
  const signIn = async (): Promise<{ readonly token: Secret; readonly connection: Connection }> => {
    const token = await tokens.find()
    return {
      token,
      connection: {
        ...connection,
        environment: { ...connection.environment, ...writeToken(connection, tokens, token) },
      },
    }
  }
  const first = await signIn()
  return use(first.connection).catch(async (error: unknown) => {
    if (!(error instanceof SourceError) || error.code !== 'key_refused') throw error
    await tokens.refuse(first.token)
    return use((await signIn()).connection)
  })
}

function writeToken({ folder }: WithFolder, { host, username }: RepositoryTokens, token: Secret) {
  chmodSync(folder, 0o700)
  const program = join(folder, 'askpass')
  writeFileSync(program, askpassScript, { mode: 0o700 })
  for (const [name, content] of Object.entries({ host, username, token: token.reveal() }))
    writeFileSync(`${program}.${name}`, `${content}\n`, { mode: 0o600 })
  return { GIT_ASKPASS: program }
}
