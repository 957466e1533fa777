// Finds the environment of a tool call: always by name or id, never guessed from a folder or a branch.
import type { Client } from '@shipway/api'
import { z } from 'zod'
import { UsageError } from '../command-error.ts'
import { findByName, listNames, readId } from '../target/find-by-name.ts'
import { chooseEnvironment, listEnvironments, type Target } from '../target/find-environment.ts'
import { listProjects } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'

const Name = z.string().min(1).max(200)

export const EnvironmentInput = {
  project: Name.optional().describe('Name or id of the project; optional if the environment is given by its id'),
  environment: Name.describe('Name or id of the environment, such as "staging", "pr-214" or "17"'),
}

type EnvironmentName = { readonly project?: string | undefined; readonly environment: string }

export async function findNamedEnvironment(
  client: Client,
  { project: projectName, environment: name }: EnvironmentName,
): Promise<Target> {
  const id = readId(name)
  if (projectName === undefined && id !== undefined) {
    const environment = await client.getEnvironment({ params: { id } })
    return { environment, project: await client.getProject({ params: { id: environment.project_id } }) }
  }
  const projects = await listProjects(client)
  if (projectName === undefined) {
    throw UsageError(
      'Give a project to name an environment in it',
      ...listNames(
        'project',
        projects.map((each) => plainText(each.name)),
      ),
    )
  }
  const project =
    projects.find((each) => each.id === readId(projectName)) ?? findByName('project', projectName, projects)
  return { project, environment: chooseEnvironment(name, await listEnvironments(client, project.id)) }
}

export const titleOf = ({ project, environment }: Target): string =>
  `${plainText(project.name)} / ${plainText(environment.name)}`
