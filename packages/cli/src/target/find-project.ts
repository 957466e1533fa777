// The project that a command is about: by its id, its name, or the link file of the repository.
import type { Client, Project } from '@shipway/api'
import { UsageFault } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from '../terminal/neutralize.ts'
import { chooseNamed, listNames, readId } from './choose-named.ts'
import { findLink, type Link } from './link-file.ts'
import { orIfNotFound } from './not-found.ts'
import { MOST_AT_A_TIME, readAll } from './read-all.ts'

export type ProjectFlags = { readonly project?: string | undefined }

export async function findProject(ctx: Context, { project }: ProjectFlags): Promise<Project> {
  const wanted = project ?? (await findLink(ctx.folder))?.project
  const client = await ctx.client()
  if (wanted === undefined) throw await whichProject(client)
  const id = readId(wanted)
  const byId = id === undefined ? undefined : await client.getProject({ params: { id } }).catch(orIfNotFound)
  return byId ?? chooseNamed('project', wanted, await listProjects(client))
}

export const listProjects = (client: Client): Promise<Project[]> =>
  readAll((cursor) => client.raw.listProjects({ query: { limit: MOST_AT_A_TIME, cursor } }))

/** The link counts for its own project only: with -p for another one, its environment would be a guess. */
export async function linkFor(ctx: Pick<Context, 'folder'>, { project }: ProjectFlags): Promise<Link | undefined> {
  const link = await findLink(ctx.folder)
  return link === undefined || (project !== undefined && project !== link.project) ? undefined : link
}

async function whichProject(client: Client) {
  const names = (await listProjects(client)).map(({ name }) => plainText(name))
  return UsageFault(
    'Which project? Give -p, or link this folder with a file .shipway: {"project": "…"}',
    ...listNames('project', names),
  )
}
