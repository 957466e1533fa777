// Actions: on-demand commands of an environment, and the artifacts they leave.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { route } from './route.ts'
import { Task, TaskStatus } from './tasks.ts'
import { Id, IdParam, Time } from './values/ids.ts'
import { ServiceName } from './values/name.ts'

export const Action = z.object({
  name: z.string(),
  service: z.string().nullable(),
  artifact_paths: z.array(z.string()),
  disabled_reason: z.string().nullable(),
  schedule: z.string().nullable(),
  timezone: z.string().nullable(),
  catch_up: z.boolean(),
  next_run_at: Time.nullable().describe('Null where the schedule is off'),
  last_run: z.object({ task_id: Id, status: TaskStatus, at: Time }).nullable(),
  schedule_history: z
    .array(
      z.object({
        due_at: Time,
        outcome: z.enum(['started', 'skipped', 'missed']),
        reason: z.string().nullable(),
        task_id: Id.nullable(),
      }),
    )
    .describe('Last 10, newest first'),
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
    description: 'As `.service.yml` of that commit defines them.',
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
    description:
      'One run of an action at a time: while one is queued or running, the answer is 409 with `active_task`. Deployments and other ' +
      'actions do not block it.',
    permission: 'deploy',
    scope: 'deploy',
    params: z.object({ id: IdParam, name: ServiceName }),
    success: 201,
    answer: Task,
    errors: [
      'approval_required',
      'deployment_in_progress',
      'environment_protected',
      'environment_removing',
      'file_action_disabled',
      'nothing_deployed',
      'project_deleting',
      'task_not_created',
    ],
    idempotent: true,
  }),
  listArtifacts: route({
    method: 'GET',
    path: '/api/tasks/{id}/artifacts',
    summary: 'Files that an action produced',
    description: 'Each with its size and when it expires.',
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
    description: [
      'Takes `Range` (206), and `If-Range` with the `ETag` of an earlier answer. Where the file or the server is lost in the middle,',
      'the connection ends before all of `Content-Length` was sent.',
    ].join(' '),
    permission: 'deploy',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.string(),
    answerType: 'application/octet-stream',
    ranged: true,
    errors: [
      'artifact_not_found',
      'artifact_expired',
      'range_not_satisfiable',
      'rate_limited',
      'server_unreachable',
      'server_timeout',
    ],
  }),
}
