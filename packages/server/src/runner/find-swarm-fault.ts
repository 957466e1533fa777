// Says why nothing can be deployed to the record of a Swarm: the Swarm must be pinned to it, since the balance groups of two records would have
// the same numbers, and visitors of one would get to containers of the other.
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'
import type { ServerAddress } from '../domain/server-address.ts'
import { recordNodes } from '../progress/record-nodes.ts'
import { findSwarmId } from '../store/servers/servers.ts'

/** Pins the Swarm of a new record. */
export async function findSwarmFault(
  ctx: Pick<Context, 'db' | 'change' | 'clock' | 'swarms'>,
  server: ServerAddress,
): Promise<string | undefined> {
  if (!hasNodes[server.runtime]) return undefined
  if ((await findSwarmId(ctx.db, server.id)) !== null) return undefined
  try {
    await recordNodes(ctx, { server, swarm: await ctx.swarms.read(server) })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
