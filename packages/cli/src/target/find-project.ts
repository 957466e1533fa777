// Finds the project of a command: by id, name, or the repository's link file.
import type { Client, Project } from '@shipway/api'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findByName, listNames, readId } from './find-by-name.ts'
import { findLink, type Link } from './link-file.ts'
import { undefinedIfNotFound } from './not-found.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export type ProjectFlags = { readonly project?: string | undefined }

export async function findProject(
  ctx: Pick<Context, 'folder' | 'client'>,
  { project }: ProjectFlags,
): Promise<Project> {
  const wanted = project ?? (await findLink(ctx.folder))?.project
  const client = await ctx.client()
  if (wanted === undefined) throw await ProjectNotNamed(client)
  const id = readId(wanted)
  const byId = id === undefined ? undefined : await client.getProject({ params: { id } }).catch(undefinedIfNotFound)
  return byId ?? findByName('project', wanted, await listProjects(client))
}

export const listProjects = (client: Client): Promise<Project[]> =>
  readAllPages((cursor) => client.raw.listProjects({ query: { limit: PAGE_SIZE, cursor } }))

/** The link file applies to its own project only: with -p for another one, its environment would be a guess. */
export async function linkFor(ctx: Pick<Context, 'folder'>, { project }: ProjectFlags): Promise<Link | undefined> {
  const link = await findLink(ctx.folder)
  return link === undefined || (project !== undefined && project !== link.project) ? undefined : link
}

async function ProjectNotNamed(client: Client) {
  const names = (await listProjects(client)).map(({ name }) => plainText(name))
  return UsageError(
    'Which project? Give -p, or link this folder with a file .shipway: {"project": "…"}',
    ...listNames('project', names),
  )
}
