// Actions: on-demand commands of an environment, and the artifacts they leave.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { route } from './route.ts'
import { Task } from './tasks.ts'
import { Id, IdParam, Time } from './values/ids.ts'

export const Action = z.object({
  name: z.string(),
  service: z.string().nullable(),
  artifact_paths: z.array(z.string()),
  disabled_reason: z.string().nullable(),
})
export type Action = z.infer<typeof Action>
export const Artifact = z.object({
  id: Id,
  task_id: Id,
  path: z.string(),
  size: z.int(),
  url: z.string(),
  created_at: Time,
  expires_at: Time,
})
export type Artifact = z.infer<typeof Artifact>

export const actionRoutes = {
  listActions: route({
    method: 'GET',
    path: '/api/environments/{id}/actions',
    summary: 'Actions that the last deployment brought along',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.array(Action),
  }),
  runAction: route({
    method: 'POST',
    path: '/api/environments/{id}/actions/{name}/tasks',
    summary: 'Run an action',
    permission: 'deploy',
    scope: 'deploy',
    params: z.object({ id: IdParam, name: z.string().max(100) }),
    success: 201,
    answer: Task,
    errors: ['file_action_disabled', 'deployment_in_progress', 'environment_protected', 'task_not_created'],
  }),
  listArtifacts: route({
    method: 'GET',
    path: '/api/tasks/{id}/artifacts',
    summary: 'Files that an action produced',
    permission: 'deploy',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(Artifact),
  }),
  downloadArtifact: route({
    method: 'GET',
    path: '/api/artifacts/{id}',
    summary: 'Download one file, straight from its server',
    permission: 'deploy',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.string(),
    answerType: 'application/octet-stream',
    errors: ['artifact_not_found', 'artifact_expired', 'server_unreachable', 'server_timeout'],
  }),
}
