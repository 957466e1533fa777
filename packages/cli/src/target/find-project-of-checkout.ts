// Finds the project whose repository is a remote of the checkout, unless the user or the link of the folder names one.
import type { Project } from '@shipway/api'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tryGit } from '../upload/run-git.ts'
import { listNames } from './find-by-name.ts'
import { findLink, type LinkContext } from './find-link.ts'
import { findProject, listProjects, type ProjectFlags } from './find-project.ts'
import { isSameRepository } from './same-repository.ts'

type CheckoutContext = LinkContext & Pick<Context, 'client' | 'signal'>

export async function findProjectOfCheckout(ctx: CheckoutContext, flags: ProjectFlags): Promise<Project> {
  if (flags.project !== undefined || (await findLink(ctx))) return findProject(ctx, flags)
  const remotes = await listRemotes(ctx)
  const projects = await listProjects(await ctx.client())
  const [project, ...others] = projects.filter(({ repo_url }) =>
    remotes.some((remote) => isSameRepository(remote, repo_url)),
  )
  if (project && others.length === 0) return project
  const names = (project ? [project, ...others] : projects).map(({ name }) => plainText(name))
  throw UsageError(
    project
      ? 'Several projects have the repository of this checkout. Choose one with -p'
      : 'No project has the repository of this checkout. Give -p',
    ...listNames('project', names),
  )
}

async function listRemotes({ folder, signal }: CheckoutContext): Promise<string[]> {
  const { output } = await tryGit(['config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`], { folder, signal })
  return output
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(line.indexOf('\n') + 1))
}
