// Environments: one running copy of a project each.
import { z } from 'zod'
import { Live, SERVICE_STATE_FIELDS } from './oversight/service-states.ts'
import { IdParams, PageQuery } from './page.ts'
import { Person } from './people.ts'
import { route } from './route.ts'
import { ServerName } from './servers.ts'
import { Task, TaskKind, TaskStatus } from './tasks.ts'
import { BasicAuth } from './values/basic-auth.ts'
import { Branch } from './values/branch.ts'
import { Hostname } from './values/hostname.ts'
import { Id, Sha, Time } from './values/ids.ts'
import { EffectiveLimits, Limits } from './values/limits.ts'
import { EnvironmentName, Title } from './values/name.ts'
import { Recipe } from './values/recipe.ts'

export const EnvironmentStatus = z.enum([
  'new',
  'deploying',
  'running',
  'degraded',
  'failed',
  'removing',
  'awaiting_approval',
])
export type EnvironmentStatus = z.infer<typeof EnvironmentStatus>

const LastTask = z.object({ id: Id, status: TaskStatus, finished_at: Time.nullable() })

export const Environment = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  title: z.string(),
  type: z.enum(['pull_request', 'manual']),
  pull_request: z
    .object({
      number: z.int(),
      title: z.string(),
      url: z.string().nullable(),
      author: z.string().nullable(),
      state: z.enum(['open', 'closed', 'merged']),
      head_sha: z.string().nullable().describe('Its newest commit; shortened where the git host shortens it'),
      is_fork: z.boolean(),
    })
    .nullable(),
  branch: z.string(),
  recipe: Recipe.nullable(),
  effective_recipe: Recipe,
  server: ServerName,
  domain: z.string(),
  url: z.string(),
  services: z
    .array(z.object({ name: z.string(), domain: z.string(), url: z.string(), ...SERVICE_STATE_FIELDS }))
    .describe('Those that a domain leads to, the main one first. None before the first deployment'),
  protected: z.boolean(),
  sticky: z.boolean(),
  auto_deploy: z.boolean(),
  basic_auth: z.object({ username: z.string(), inherited: z.boolean() }).nullable(),
  limits: EffectiveLimits,
  owner: Person,
  status: EnvironmentStatus.describe(
    '`running`: every service answers; `degraded`: one does not, or its server is out of reach; `failed`: the last deployment failed, ' +
      'and `live` says what serves',
  ),
  locked: z.boolean(),
  active_task: z.object({ id: Id, status: TaskStatus, kind: TaskKind }).nullable(),
  last_task: LastTask.nullable(),
  last_deployment: LastTask.nullable().describe(
    'The newest task that is no action: a deployment, a reset or a removal',
  ),
  live: Live.nullable(),
  variables_changed: z.boolean(),
  created_at: Time,
  updated_at: Time,
  waiting_for_checks: z
    .object({
      state: z.enum(['waiting', 'failed', 'timed_out']),
      commit_sha: Sha,
      since: Time,
      deadline_at: Time,
      checks: z.array(z.string()),
    })
    .nullable()
    .describe('Why the newest commit is not deployed'),
  expires_at: Time.nullable().describe(
    'When it is removed unless it is deployed before; null where it stays, and while a task is queued or running',
  ),
  schedules: z.boolean().nullable().describe('Whether schedules run here; null: as `.service.yml` says'),
  upload: z
    .object({
      by: Person,
      commit_sha: Sha.nullable(),
      head_sha: Sha.nullable(),
      created_at: Time,
    })
    .nullable()
    .describe('The working tree that `shipway up` sent'),
})
export type Environment = z.infer<typeof Environment>

export const Traffic = z.object({ environment_id: Id, requests: z.int(), errors: z.int(), since: Time.nullable() })
export type Traffic = z.infer<typeof Traffic>

export const NewEnvironment = z.strictObject({
  name: EnvironmentName,
  branch: Branch,
  title: Title.optional(),
  server_id: Id.optional(),
  recipe: Recipe.nullable().optional(),
  domain: Hostname.optional(),
  auto_deploy: z.boolean().default(true),
  protected: z.boolean().default(false),
  sticky: z.boolean().default(false),
  basic_auth: BasicAuth.optional(),
})
export type NewEnvironment = z.infer<typeof NewEnvironment>
/** As it is sent: what has a default may be left out. */
export type NewEnvironmentBody = z.input<typeof NewEnvironment>

export const EnvironmentChanges = z.strictObject({
  title: Title.optional(),
  branch: Branch.optional(),
  server_id: Id.optional(),
  recipe: Recipe.nullable().optional(),
  domain: Hostname.optional(),
  auto_deploy: z.boolean().optional(),
  protected: z.boolean().optional(),
  sticky: z.boolean().optional(),
  basic_auth: BasicAuth.nullable().optional(),
  limits: Limits.nullable().optional(),
  owner_id: Id.optional(),
  schedules: z.boolean().nullable().optional(),
})
export type EnvironmentChanges = z.infer<typeof EnvironmentChanges>

export const environmentRoutes = {
  listEnvironments: route({
    method: 'GET',
    path: '/api/projects/{id}/environments',
    summary: 'Environments of a project: sticky, then manual, then pull-request ones; newest first in each',
    description: 'X-Service-Environments says how many of the limit are used: `7/20`.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(Environment),
  }),
  createEnvironment: route({
    method: 'POST',
    path: '/api/projects/{id}/environments',
    summary: 'Make a manual environment',
    description: 'Another `recipe` is for administrators; `manual` needs `manual_recipe: allowed` in the project.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: NewEnvironment,
    success: 201,
    answer: Environment,
    errors: ['environment_limit_reached', 'project_deleting'],
  }),
  getEnvironment: route({
    method: 'GET',
    path: '/api/environments/{id}',
    summary: 'One environment',
    description: 'Its state as of now.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Environment,
  }),
  getTraffic: route({
    method: 'GET',
    path: '/api/environments/{id}/traffic',
    summary: 'Requests that reached the applications of an environment, and how many of them failed',
    description:
      'Counted since the edge of the server started, some seconds old. `errors` are answers of 500 and above. `since` is null while ' +
      'nothing was read from the edge.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Traffic,
  }),
  updateEnvironment: route({
    method: 'PATCH',
    path: '/api/environments/{id}',
    summary: 'Change an environment',
    description:
      'A protected environment is changed by its owner alone, and keeps title, server and domain. `owner_id` is for organization ' +
      'owners; `limits` (from the next deployment on) and another `recipe` for administrators; `manual` needs ' +
      '`manual_recipe: allowed` in the project. `null` goes back to the default. `server_id` moves it: the old server serves until a deployment on the new one has succeeded.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: EnvironmentChanges,
    success: 200,
    answer: Environment,
    errors: [
      'environment_protected',
      'environment_protected_fields',
      'deployment_in_progress',
      'environment_removing',
      'project_deleting',
    ],
  }),
  deleteEnvironment: route({
    method: 'DELETE',
    path: '/api/environments/{id}',
    summary: 'Remove an environment from its server, then from the list',
    description:
      'What was never on a server is gone at once. Where a removal failed since the server is gone for good, ' +
      '`{"abandon_server": true}`, by the owner of the project or organization, removes it from the records alone.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: z.strictObject({ abandon_server: z.boolean().optional() }).optional(),
    success: 202,
    answer: Task,
    errors: ['environment_protected', 'deployment_in_progress', 'environment_removing', 'project_deleting'],
  }),
  resetEnvironment: route({
    method: 'POST',
    path: '/api/environments/{id}/reset',
    summary: 'Remove everything of an environment with its volumes, then deploy it again',
    description: 'Refused while the environment is protected, also for its owner: take the protection off first.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    success: 201,
    answer: Task,
    errors: [
      'environment_protected',
      'environment_protected_fields',
      'deployment_in_progress',
      'environment_removing',
      'task_not_created',
    ],
    idempotent: true,
  }),
  approveEnvironment: route({
    method: 'POST',
    path: '/api/environments/{id}/approval',
    summary: "Let one commit of a stranger's pull request be deployed",
    description: 'Starts a deployment of exactly this commit. A later commit needs an approval of its own.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: z.strictObject({ commit_sha: Sha }),
    success: 201,
    answer: Task,
    errors: [
      'deployment_in_progress',
      'environment_limit_reached',
      'environment_protected',
      'environment_removing',
      'project_deleting',
      'too_late',
      'task_not_created',
    ],
  }),
  rollBackEnvironment: route({
    method: 'POST',
    path: '/api/environments/{id}/rollback',
    summary: 'Deploy again what an earlier task had deployed',
    description:
      'One of the last three that succeeded on its server since it was reset last: its images are still there.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: z.strictObject({ task_id: Id }),
    success: 201,
    answer: Task,
    errors: ['environment_protected', 'deployment_in_progress', 'environment_removing', 'too_late', 'task_not_created'],
    idempotent: true,
  }),
  extendEnvironment: route({
    method: 'POST',
    path: '/api/environments/{id}/extend',
    summary: 'Restart the time until an environment expires',
    description:
      '`expires_at` of the answer says when that is: of an upload, at least a day later. `too_late` if it does not expire.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    success: 200,
    answer: Environment,
    errors: ['environment_protected', 'too_late'],
  }),
  readRemovedLogs: route({
    method: 'GET',
    path: '/api/environments/{id}/logs',
    summary: 'Removed in v1.11.2: container logs are read with `shipway logs`',
    description: 'Always answers 410.',
    permission: 'signed_in',
    scope: 'none',
    params: z.object({ id: z.string() }),
    success: 204,
    errors: ['endpoint_removed'],
  }),
}
