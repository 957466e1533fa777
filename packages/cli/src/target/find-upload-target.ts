// Finds the environment that the user made from a branch with `shipway up`. Never one of another user.
import type { Client, Project } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { plainText } from '../terminal/sanitize.ts'
import { listNames } from './find-by-name.ts'
import { listEnvironments, type Target } from './find-environment.ts'

type UploadedBranch = { readonly project: Project; readonly branch: string }

export async function findUploadTarget(client: Client, { project, branch }: UploadedBranch): Promise<Target> {
  const { id } = await client.getMe()
  const own = (await listEnvironments(client, project.id)).filter(({ upload }) => upload?.by.id === id)
  const environment = own.find((each) => each.branch === branch)
  if (environment) return { project, environment }
  const branches = own.map((each) => plainText(each.branch))
  throw new CommandError(
    `${plainText(project.name)} has no environment that you made with shipway up from ${plainText(branch)}`,
    {
      code: 'environment_not_found',
      exitCode: EXIT.notFound,
      advice: branches.length === 0 ? [] : ['Give --branch:', '', ...listNames('environment', branches)],
    },
  )
}
