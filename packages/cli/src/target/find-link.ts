// The project that a folder is linked to: by the user with `shipway link`, else by the file `.shipway` of the repository.
import type { Context } from '../context.ts'
import { readInstance } from '../credentials/instance.ts'
import { findLinkFile, type Link } from './link-file.ts'
import { findUserLink } from './user-links.ts'

/** All of it is required: without the configuration, the user's own link would not count. */
export type LinkContext = Pick<Context, 'folder' | 'config' | 'flags'>

export async function findLink({ config, flags, folder }: LinkContext): Promise<Link | undefined> {
  const own = await findUserLink(config, folder)
  const named = flags.url ?? config.url
  // Its project is one of its own platform.
  if (own && (named === undefined || readInstance(named) === own.url)) return own
  return findLinkFile(folder)
}
