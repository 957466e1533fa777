// `shipway link`: binds a checkout to a project, so that -p and -e need not be given. Nothing is written into the checkout.
import type { Client, Project } from '@shipway/api'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findAccess } from '../credentials/access.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { runGit } from '../repository/run-git.ts'
import { chooseEnvironment, listEnvironments } from '../target/find-environment.ts'
import { findLink } from '../target/find-link.ts'
import { findProject, listProjects } from '../target/find-project.ts'
import { isSameRepository } from '../target/same-repository.ts'
import { storeUserLink } from '../target/user-links.ts'
import { plainText } from '../terminal/sanitize.ts'

export const link = command({
  words: [{ name: '[project]', description: 'its name or id (default: the project of the repository of origin)' }],
  flags: {
    environment: {
      short: 'e',
      value: 'environment',
      description: 'name or id (default: the one that follows the current branch)',
    },
    show: { description: 'show what this folder is linked to' },
    remove: { description: 'remove the link' },
  },
  notes:
    'Counts for all worktrees of the repository, on this machine and for you only. It is stored beside your sign-in, never in the ' +
    'checkout, and wins over a file .shipway.',
  examples: [
    ['shipway link', 'Finds the project by the address of origin'],
    ['shipway link bookshop -e staging', 'Always this environment, whatever the branch'],
    ['shipway link --remove', 'Name -p and -e again'],
  ],
  run: async (ctx, { words: [wanted], flags }) => {
    if (flags.show) return showLink(ctx)
    if (flags.remove) {
      const folder = await storeUserLink(ctx.config, ctx.folder, undefined)
      report(ctx, { folder, linked: false }, () => [`${plainText(folder)} is not linked`])
      return EXIT.done
    }
    const client = await ctx.client()
    const project = wanted === undefined ? await findByOrigin(ctx, client) : await findProject(ctx, { project: wanted })
    const environment =
      flags.environment === undefined
        ? undefined
        : chooseEnvironment(flags.environment, await listEnvironments(client, project.id))
    const { instance: url } = await findAccess(ctx)
    const stored = { url, project_id: project.id, project: project.name, environment: environment?.name ?? null }
    const folder = await storeUserLink(ctx.config, ctx.folder, stored)
    const name = environment ? `${plainText(project.name)} / ${plainText(environment.name)}` : plainText(project.name)
    report(ctx, { folder, linked: true, ...stored }, () => [`Linked to ${name} at ${new URL(url).host}`])
    if (environment === undefined) say(ctx, 'The environment is the one that follows the current branch.')
    return EXIT.done
  },
})

async function showLink(ctx: Context): Promise<ExitCode> {
  const found = await findLink(ctx)
  report(ctx, found ?? null, () => {
    if (found === undefined) return ['This folder is not linked. Link it: shipway link PROJECT']
    const name = plainText(found.projectName ?? found.project)
    const where = found.url === undefined ? '' : ` at ${plainText(found.url)}`
    const environment = found.environment === undefined ? '' : ` / ${plainText(found.environment)}`
    return [`${name}${environment}${where}, by ${found.by === 'user' ? 'shipway link' : plainText(found.file)}`]
  })
  return EXIT.done
}

async function findByOrigin(ctx: Context, client: Client): Promise<Project> {
  const { folder, signal } = ctx
  const origin = (await runGit(['config', '--get', 'remote.origin.url'], { folder, signal }))?.toString().trim()
  if (!origin)
    throw UsageError('Which project? This folder has no remote called origin', 'Name it: shipway link PROJECT')
  const [only, ...others] = (await listProjects(client)).filter((each) => isSameRepository(each.repo_url, origin))
  if (only && others.length === 0) return only
  const names = [only, ...others].flatMap((each) => (each ? [plainText(each.name)] : []))
  throw UsageError(
    only ? `Several projects use the repository ${plainText(origin)}` : `No project uses ${plainText(origin)}`,
    ...(only ? [`  ${names.join('   ')}`] : ['Name one: shipway link PROJECT']),
  )
}
