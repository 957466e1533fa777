// Finds the project whose repository is a remote of the checkout, unless the user or the link file names one.
import type { Project } from '@shipway/api'
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tryGit } from '../upload/run-git.ts'
import { listNames } from './find-by-name.ts'
import { findLink } from './find-link.ts'
import { findProject, listProjects, type ProjectFlags } from './find-project.ts'

export async function findProjectOfCheckout(ctx: Context, flags: ProjectFlags): Promise<Project> {
  if (flags.project !== undefined || (await findLink(ctx))) return findProject(ctx, flags)
  const remotes = new Set((await listRemotes(ctx)).flatMap((address) => placeOf(address) ?? []))
  const projects = await listProjects(await ctx.client())
  const [project, ...others] = projects.filter(({ repo_url }) => remotes.has(placeOf(repo_url) ?? ''))
  if (project && others.length === 0) return project
  const names = (project ? [project, ...others] : projects).map(({ name }) => plainText(name))
  throw UsageError(
    project
      ? 'Several projects have the repository of this checkout. Choose one with -p'
      : 'No project has the repository of this checkout. Give -p',
    ...listNames('project', names),
  )
}

async function listRemotes({ folder, signal }: Context): Promise<string[]> {
  const { output } = await tryGit(['config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`], { folder, signal })
  return output
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(line.indexOf('\n') + 1))
}

/** The same for https and ssh. */
function placeOf(address: string): string | undefined {
  // People sign in with a name or a token in the address.
  const parts = parseRepositoryAddress(address.replace(/^(https:\/\/)[^/@]*@/, '$1').replace(/\/$/, ''))
  return parts && `${parts.host}/${parts.path.replace(/^\//, '').replace(/\.git$/, '')}`
}
