// The repository that a new project gets from a connection.
import { CONNECTION_TYPES } from '@shipway/api/connections'
import type { NewProject } from '@shipway/api/projects'
import { repositoryAddressFault } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import { type Connection, repositoryUrlOf } from '../../domain/connection.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { askApp, askHost } from './ask-host.ts'

export type ChosenRepository = {
  readonly connection: Connection
  /** Its full name at the git host. */
  readonly name: string
  /** What git fetches from. */
  readonly address: string
  readonly defaultBranch: string | null
  /** The git host's own id for it; null if it is not known yet. */
  readonly externalId: string | null
}

type Choice = { readonly organizationId: number; readonly wanted: NewProject }

/** Undefined if the project names its repository by an address. The caller administers the organization. */
export async function chooseRepository(
  ctx: Context,
  actor: Actor,
  { organizationId, wanted }: Choice,
): Promise<ChosenRepository | undefined> {
  const { connection_id, repository, repo_url } = wanted
  if (connection_id === undefined && repository === undefined) {
    if (repo_url === undefined)
      throw InvalidField('/repo_url', 'required', 'Give the address of the repository, or connection_id and repository')
    return undefined
  }
  if (repo_url !== undefined)
    throw InvalidField(
      '/repo_url',
      'not_used',
      'Give either the address of the repository, or connection_id and repository',
    )
  if (connection_id === undefined)
    throw InvalidField('/connection_id', 'required', 'Name the connection that the repository belongs to')
  if (repository === undefined) throw InvalidField('/repository', 'required', 'Name the repository, such as owner/name')
  const connection = await findConnection(ctx.db, actor, connection_id)
  if (connection?.organizationId !== organizationId)
    throw InvalidField('/connection_id', 'not_found', 'The organization has no such connection')
  return { connection, ...(await findAtHost(ctx, connection, repository)) }
}

async function findAtHost(ctx: Context, connection: Connection, repository: string) {
  if (connection.type === 'github_app') return findForApp(ctx, connection, repository)
  const { title } = CONNECTION_TYPES[connection.type]
  const found = await askHost(ctx, connection, (host) => ctx.connectedHosts.findRepository(host, repository))
  if (!found)
    throw InvalidField('/repository', 'not_found', `${title} has no such repository, or the connection may not see it`)
  if (found.sshAddress === null)
    throw InvalidField('/repository', 'no_ssh_address', `${title} offers no ssh address for it. Turn on ssh there`)
  const fault = repositoryAddressFault(found.sshAddress, ctx.config)
  if (fault) throw InvalidField('/repository', fault.code, `Its address is ${found.sshAddress}. ${fault.detail}`)
  return { name: found.fullName, address: found.sshAddress, defaultBranch: found.defaultBranch, externalId: found.id }
}

/** A GitHub App reads over https, and its events name the repository by its id. */
async function findForApp(ctx: Context, connection: Connection, repository: string) {
  const found = await askApp(ctx, connection, (app) => ctx.gitHubApps.findRepository(app, repository))
  if (!found)
    throw InvalidField(
      '/repository',
      'not_found',
      'The GitHub App sees no such repository. Add it to the App at GitHub, under Repository access',
    )
  const address = repositoryUrlOf(connection, found.fullName)
  const fault = repositoryAddressFault(address, ctx.config)
  if (fault) throw InvalidField('/repository', fault.code, `Its address is ${address}. ${fault.detail}`)
  return { name: found.fullName, address, defaultBranch: found.defaultBranch, externalId: found.id }
}
