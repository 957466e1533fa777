// Repositories that a connection can use, as the git host lists them now.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { FoundRepository } from '../../source/git-host/connected/connected-dialect.ts'
import { askHost } from './ask-host.ts'
import { getConnection } from './list-connections.ts'

export async function listRepositories(
  ctx: Context,
  actor: Actor,
  { id, search }: { readonly id: number; readonly search: string },
): Promise<readonly FoundRepository[]> {
  const connection = await getConnection(ctx, actor, id)
  return askHost(ctx, connection, (host) => ctx.connectedHosts.searchRepositories(host, search.trim()))
}
