// The project that a folder is linked to: by the user with `shipway link`, else by the file `.shipway` of the repository.
import type { Context } from '../context.ts'
import { readInstance } from '../credentials/instance.ts'
import { findLinkFile, type Link } from './link-file.ts'
import { findUserLink } from './user-links.ts'

/** Without the configuration, only the repository's own file counts. */
export type LinkContext = Pick<Context, 'folder'> & Partial<Pick<Context, 'config' | 'flags'>>

export async function findLink({ config, flags, folder }: LinkContext): Promise<Link | undefined> {
  const own = config && (await findUserLink(config, folder))
  const named = flags?.url ?? config?.url
  // Its project is one of its own platform.
  if (own && (named === undefined || readInstance(named) === own.url)) return own
  return findLinkFile(folder)
}
