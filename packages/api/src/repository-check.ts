// A look at the repository of a project with the project's own key: whether deployments will find what they need.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Sha } from './values/ids.ts'

export const RepositoryCheck = z.object({
  status: z.enum(['ok', 'failed']).describe('`ok`: the repository was read and has the default branch'),
  message: z.string().describe('What was found, in a sentence'),
  fix: z.string().nullable().describe('What to do where it failed'),
  branches: z.int().describe('How many there are; 0 where they could not be listed'),
  head: z
    .object({ sha: Sha, message: z.string() })
    .nullable()
    .describe('The newest commit of the default branch; null where it could not be fetched'),
  service_file: z
    .enum(['present', 'missing', 'unknown'])
    .describe('Whether that commit has a `.service.yml`; unknown where it could not be fetched'),
  suggestion: z
    .string()
    .nullable()
    .describe(
      'The text of a `.service.yml` for that commit, made from what is in it; null if it or the project has one',
    ),
})
export type RepositoryCheck = z.infer<typeof RepositoryCheck>

export const repositoryCheckRoutes = {
  checkRepository: route({
    method: 'POST',
    path: '/api/projects/{id}/repository-check',
    summary: "Try the repository with the project's key",
    description:
      'Lists the branches, fetches the newest commit of the default branch and looks for `.service.yml` in it; takes a minute at ' +
      'the most. A repository that cannot be read is an answer and no error. Some checks run at a time, of an organization two.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    success: 200,
    answer: RepositoryCheck,
  }),
}
