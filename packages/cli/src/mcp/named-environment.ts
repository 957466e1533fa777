// Finds the environment of a tool call: by name or id, or by the link of the folder. Never guessed from a branch.
import type { Environment } from '@shipway/api'
import { z } from 'zod'
import { CommandError, UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { findByName, listNames, readId } from '../target/find-by-name.ts'
import { chooseEnvironment, listEnvironments, type Target } from '../target/find-environment.ts'
import { linkFor, listProjects } from '../target/find-project.ts'
import { undefinedIfNotFound } from '../target/not-found.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { ToolContext } from './tool.ts'
import { startOf } from './untrusted.ts'

const Name = z.string().min(1).max(200)

export const EnvironmentInput = {
  project: Name.optional().describe(
    'Name or id of the project; optional if the environment is given by its id, or if the folder is linked to a project',
  ),
  environment: Name.optional().describe(
    'Name or id of the environment, such as "staging", "pr-214" or "17"; optional if the link of the folder names one',
  ),
}

type EnvironmentName = { readonly project?: string | undefined; readonly environment?: string | undefined }

export async function findNamedEnvironment(ctx: ToolContext, named: EnvironmentName): Promise<Target> {
  const client = await ctx.client()
  const link = await linkFor(ctx, named)
  const byId =
    named.project === undefined ? await findById(ctx, { name: named.environment, isLinked: !!link }) : undefined
  if (byId) return { environment: byId, project: await client.getProject({ params: { id: byId.project_id } }) }
  const projects = await listProjects(client)
  const projectName = named.project ?? link?.project
  if (projectName === undefined) throw NotNamed('Give a project to name an environment in it', 'project', projects)
  const project =
    projects.find((each) => each.id === readId(projectName)) ?? findByName('project', projectName, projects)
  const environments = await listEnvironments(client, project.id)
  const name = named.environment ?? link?.environment
  if (name === undefined) throw NotNamed('Give an environment of the project', 'environment', environments)
  return { project, environment: chooseEnvironment(name, environments) }
}

type IdOrName = { readonly name: string | undefined; readonly isLinked: boolean }

/** An id needs no project. In a linked folder it may also be a name that consists of digits. */
async function findById(ctx: ToolContext, { name, isLinked }: IdOrName): Promise<Environment | undefined> {
  const id = readId(name ?? '')
  if (id === undefined) return undefined
  const client = await ctx.client()
  const found = await client.getEnvironment({ params: { id } }).catch(undefinedIfNotFound)
  if (found || isLinked) return found
  throw new CommandError('There is no environment with this id that you can see', {
    code: 'environment_not_found',
    exitCode: EXIT.notFound,
  })
}

const NotNamed = (sentence: string, kind: 'project' | 'environment', things: readonly { readonly name: string }[]) =>
  UsageError(
    sentence,
    ...listNames(
      kind,
      things.map(({ name }) => plainText(name)),
    ),
  )

/** A foreign line: people choose both names. A hostile platform chooses how long they are. */
export const environmentLine = ({ project, environment }: Target): string =>
  `Environment: ${[project, environment].map(({ name }) => startOf(plainText(name), MOST_BYTES)).join(' / ')}`

const MOST_BYTES = 300
