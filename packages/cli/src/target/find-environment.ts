// Finds the environment of a command: by id or name, by the link file, or as the one that follows the current branch.
import type { Client, Environment, Project } from '@shipway/api'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { plainText } from '../terminal/sanitize.ts'
import { currentBranch } from './current-branch.ts'
import { findByName, listNames, NameNotFound, readId } from './find-by-name.ts'
import { findProject, linkFor, type ProjectFlags } from './find-project.ts'
import { undefinedIfNotFound } from './not-found.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export type TargetFlags = ProjectFlags & { readonly environment?: string | undefined }

export type Target = { readonly project: Project; readonly environment: Environment }

export async function findTarget(ctx: Context, flags: TargetFlags): Promise<Target> {
  const byId = await findById(ctx, flags)
  if (byId) return byId
  const project = await findProject(ctx, flags)
  const environments = await listEnvironments(await ctx.client(), project.id)
  const link = await linkFor(ctx, flags)
  const wanted = flags.environment ?? link?.environment
  if (wanted !== undefined) return { project, environment: chooseEnvironment(wanted, environments) }
  // The current branch belongs to the linked project only.
  const branch = link && (await currentBranch(ctx.folder))
  return { project, environment: findByBranch(branch, project, environments) }
}

/** With an id, no project is needed. */
async function findById(ctx: Context, flags: TargetFlags): Promise<Target | undefined> {
  const id = readId(flags.environment ?? '')
  if (id === undefined || flags.project !== undefined) return undefined
  const client = await ctx.client()
  const environment = await client.getEnvironment({ params: { id } }).catch(undefinedIfNotFound)
  if (environment) {
    return { environment, project: await client.getProject({ params: { id: environment.project_id } }) }
  }
  // It may also be a name that consists of digits, in the linked project.
  if (await linkFor(ctx, flags)) return undefined
  throw new CommandError(`There is no environment ${id} that you can see`, {
    code: 'environment_not_found',
    exitCode: EXIT.notFound,
    advice: ['To use a name, give the project with -p'],
  })
}

export const listEnvironments = (client: Client, projectId: number): Promise<Environment[]> =>
  readAllPages((cursor) =>
    client.raw.listEnvironments({ params: { id: projectId }, query: { limit: PAGE_SIZE, cursor } }),
  )

export function chooseEnvironment(wanted: string, environments: readonly Environment[]): Environment {
  const id = readId(wanted)
  return environments.find((environment) => environment.id === id) ?? findByName('environment', wanted, environments)
}

function findByBranch(branch: string | undefined, project: Project, environments: readonly Environment[]): Environment {
  const names = environments.map(({ name }) => plainText(name))
  if (branch === undefined) {
    throw UsageError(`Which environment of ${plainText(project.name)}? Give -e`, ...listNames('environment', names))
  }
  // Uploads were made from a branch, and follow none.
  const [follower, ...others] = environments.filter((each) => each.branch === branch && each.upload === null)
  if (!follower) {
    const { exitCode, fields } = NameNotFound('environment', branch, environments)
    throw new CommandError(
      `No environment of ${plainText(project.name)} follows the branch ${plainText(branch)}. Give -e`,
      {
        code: 'environment_not_found',
        exitCode,
        fields,
        advice: listNames('environment', names),
      },
    )
  }
  if (others.length === 0) return follower
  throw UsageError(
    `Several environments follow the branch ${plainText(branch)}. Choose one with -e`,
    ...listNames(
      'environment',
      [follower, ...others].map(({ name }) => plainText(name)),
    ),
  )
}
