// Reads a repository of a connection before a project exists for it.
import { CONNECTION_TYPES } from '@shipway/api/connections'
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { RepositoryReading } from '../../domain/repository/repository-reading.ts'
import { askHost } from './ask-host.ts'
import { getConnection } from './list-connections.ts'

type Wanted = { readonly id: number; readonly name: string; readonly branch: string }

export async function readRepository(ctx: Context, actor: Actor, wanted: Wanted): Promise<RepositoryReading> {
  const connection = await getConnection(ctx, actor, wanted.id)
  const { title } = CONNECTION_TYPES[connection.type]
  const reading = await ctx.connectedHosts.takeTurn(connection.organizationId, () =>
    askHost(ctx, connection, (host) => ctx.connectedHosts.readRepository(host, wanted)),
  )
  if (reading) return reading
  throw InvalidField('/branch', 'not_found', `${title} has no branch ${wanted.branch} of ${wanted.name}`)
}
