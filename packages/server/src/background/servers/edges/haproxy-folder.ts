// Where HAProxy on a server has its files.
import type { Context } from '../../../context.ts'
import { serverFolderOf } from '../../../domain/server-folder.ts'

/** On other machines the path is relative to the home of the platform's user. */
export function haproxyFolderOf(
  ctx: Pick<Context, 'config' | 'installationId'>,
  server: { readonly connection: 'ssh' | 'local' },
): string {
  return `${serverFolderOf(ctx, server, '.')}/edge`
}
