// Finds the project of a command: by id, by name, or by the link of the folder.
import type { Client, Project } from '@shipway/api'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findByName, listNames, readId } from './find-by-name.ts'
import { findLink, type LinkContext } from './find-link.ts'
import type { Link } from './link-file.ts'
import { undefinedIfNotFound } from './not-found.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export type ProjectFlags = { readonly project?: string | undefined }

export async function findProject(
  ctx: LinkContext & Pick<Context, 'client'>,
  { project }: ProjectFlags,
): Promise<Project> {
  const wanted = project ?? (await findLink(ctx))?.project
  const client = await ctx.client()
  if (wanted === undefined) throw await ProjectNotNamed(client)
  const id = readId(wanted)
  const byId = id === undefined ? undefined : await client.getProject({ params: { id } }).catch(undefinedIfNotFound)
  return byId ?? findByName('project', wanted, await listProjects(client))
}

export const listProjects = (client: Client): Promise<Project[]> =>
  readAllPages((cursor) => client.raw.listProjects({ query: { limit: PAGE_SIZE, cursor } }))

/** A link applies to its own project only: with -p for another one, its environment would be a guess. */
export async function linkFor(ctx: LinkContext, { project }: ProjectFlags): Promise<Link | undefined> {
  const link = await findLink(ctx)
  return project === undefined || project === link?.project || project === link?.projectName ? link : undefined
}

async function ProjectNotNamed(client: Client) {
  const names = (await listProjects(client)).map(({ name }) => plainText(name))
  return UsageError('Which project? Give -p, or link this folder: shipway link PROJECT', ...listNames('project', names))
}
