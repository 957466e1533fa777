// Environments that are gone: by whom they were removed, or why the platform did it by itself.
import { z } from 'zod'
import { IdParams } from '../page.ts'
import { Person } from '../people.ts'
import { route } from '../route.ts'
import { Id, Time } from '../values/ids.ts'

export const RemovedEnvironment = z.object({
  id: Id,
  name: z.string(),
  removed_at: Time,
  task_id: Id.nullable(),
  removed_by: Person.nullable(),
  because: z
    .string()
    .nullable()
    .describe('Why the platform removed it by itself, such as `after 14 days without a deployment`'),
})
export type RemovedEnvironment = z.infer<typeof RemovedEnvironment>

export const removedEnvironmentRoutes = {
  listRemovedEnvironments: route({
    method: 'GET',
    path: '/api/projects/{id}/removed-environments',
    summary: 'The environments that were removed last, by whom or why; newest first, at most 20',
    description: '`task_id` is the task that removed it; null where there was nothing to remove on a server.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.array(RemovedEnvironment),
  }),
}
