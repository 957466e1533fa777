// Repositories that a connection can use, as the git host lists them now.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { FoundRepository } from '../../source/git-host/connected/connected-dialect.ts'
import { askApp, askHost } from './ask-host.ts'
import { getConnection } from './list-connections.ts'

type ListedRepository = Omit<FoundRepository, 'id' | 'sshAddress'>

/** Limit of one list: a search finds the others. */
const MOST = 200

export async function listRepositories(
  ctx: Context,
  actor: Actor,
  { id, search }: { readonly id: number; readonly search: string },
): Promise<readonly ListedRepository[]> {
  const connection = await getConnection(ctx, actor, id)
  const text = search.trim()
  if (connection.type === 'github_app')
    return askApp(ctx, connection, (app) => ctx.gitHubApps.listRepositories(app, { search: text, most: MOST }))
  return askHost(ctx, connection, (host) => ctx.connectedHosts.searchRepositories(host, text))
}
