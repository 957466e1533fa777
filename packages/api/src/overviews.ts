// Overviews: what a page that lists projects shows of each, without asking for every project by itself.
import { z } from 'zod'
import { EnvironmentStatus } from './environments.ts'
import { PageQuery } from './page.ts'
import { Person } from './people.ts'
import { addedLater } from './read-other-release.ts'
import { route } from './route.ts'
import { TaskCause, TaskKind, TaskReason, TaskStatus } from './tasks.ts'
import { Id, Named, Time } from './values/ids.ts'

/** Enough to draw; the list of environments has them all. */
export const OVERVIEW_ENVIRONMENTS = 60

const LatestTask = z.object({
  id: Id,
  environment: Named,
  kind: TaskKind,
  status: TaskStatus,
  reason: TaskReason.nullable(),
  cause: TaskCause,
  started_by: Person.nullable(),
  created_at: Time,
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  duration_ms: z.int().nullable(),
  phase: z.string().nullable().describe('The phase that a running task is in, or that a failed one failed in'),
  message: z.string().nullable().describe("The first line of the commit's message"),
})

export const Overview = z.object({
  project_id: Id,
  environments: z
    .array(
      z.object({
        id: Id,
        name: z.string(),
        title: addedLater(z.string().describe('Its own title, or that of its pull request'), ''),
        status: EnvironmentStatus,
      }),
    )
    .describe(
      `At most ${OVERVIEW_ENVIRONMENTS}, in the order in which the environments of a project are listed; ` +
        '`environment_count` of the project is the total',
    ),
  waiting_count: z.int().describe('How many pull requests wait for an environment'),
  latest_task: LatestTask.nullable().describe('The newest task of the environments that the project has now'),
})
export type Overview = z.infer<typeof Overview>

export const overviewRoutes = {
  listOverviews: route({
    method: 'GET',
    path: '/api/overview',
    summary: 'Projects with their environments and their newest task, newest project first',
    description:
      'Goes with the list of projects: the same order, the same pages. A page that shows both asks twice with the same `limit`, and ' +
      'follows both `Link` headers.',
    permission: 'read',
    scope: 'read',
    query: PageQuery,
    success: 200,
    answer: z.array(Overview),
  }),
}
