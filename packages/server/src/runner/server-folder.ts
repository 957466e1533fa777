// Where the platform keeps its things on a server.
import type { Context } from '../context.ts'

type Where = { readonly connection: 'ssh' | 'local' }

/** On this machine everything lies in the data folder; elsewhere in the home of the platform's user. */
export function serverFolderOf(ctx: Pick<Context, 'config' | 'installationId'>, server: Where, home: string): string {
  const above = server.connection === 'local' ? `${ctx.config.dataFolder}/server` : `${home}/.shipway`
  return `${above}/${ctx.installationId}`
}
