// Finds a server that is a Swarm, for its administrators.
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { Context } from '../../../context.ts'
import { NotASwarm } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import { demand } from '../../../domain/people/permissions.ts'
import { findServer, type Server } from '../../../store/servers/servers.ts'
import { orNotFound } from '../../or-not-found.ts'

export async function findSwarm({ db }: Pick<Context, 'db'>, actor: Actor, id: number): Promise<Server> {
  const server = orNotFound(await findServer(db, actor, id), 'server')
  demand(actor, 'administer', server.organizationId)
  if (!hasNodes[server.runtime]) throw NotASwarm(server.name)
  return server
}
