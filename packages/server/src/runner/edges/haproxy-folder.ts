// Where the edge of a server has its files.
import type { Context } from '../../context.ts'
import { serverFolderOf } from '../server-folder.ts'

/** Elsewhere than on this machine it is relative, to the home of the platform's user. */
export function edgeFolderOf(
  ctx: Pick<Context, 'config' | 'installationId'>,
  server: { readonly connection: 'ssh' | 'local' },
): string {
  return `${serverFolderOf(ctx, server, '.')}/edge`
}
