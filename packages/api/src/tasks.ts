// Tasks: the runs of an environment, their phases and steps, their output, and why one failed.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { Person } from './people.ts'
import { route } from './route.ts'
import { Branch } from './values/branch.ts'
import { Id, IdParam, Named, Sha, Time } from './values/ids.ts'

export const TaskKind = z.enum(['deploy', 'remove', 'reset', 'action', 'run'])
export type TaskKind = z.infer<typeof TaskKind>
export const TaskStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'canceled'])
export type TaskStatus = z.infer<typeof TaskStatus>
export const TaskReason = z.enum([
  'superseded',
  'canceled_by_user',
  'protected',
  'timed_out',
  'server_unreachable',
  'interrupted',
  'expired',
])
export type TaskReason = z.infer<typeof TaskReason>
export const TaskCause = z.enum(['dashboard', 'api', 'cli', 'mcp', 'push', 'pull_request', 'rollback', 'system'])
export type TaskCause = z.infer<typeof TaskCause>
export const StepStatus = z.enum(['pending', 'running', 'succeeded', 'failed', 'skipped', 'canceled'])
export type StepStatus = z.infer<typeof StepStatus>
export const StepKind = z.enum(['check', 'command', 'timeout', 'server'])
export type StepKind = z.infer<typeof StepKind>

const Timing = { started_at: Time.nullable(), duration_ms: z.int().nullable() }
export const Step = z.object({
  name: z.string(),
  status: StepStatus,
  ...Timing,
  exit_code: z.int().nullable(),
  message: z.string().nullable().describe('Why it failed, or what to look at though it succeeded: a warning'),
  output: z
    .object({ from: z.int(), to: z.int().nullable() })
    .nullable()
    .describe(
      'Its output in the log of the task: the bytes from `from` up to but not including `to`, to be read with ' +
        '`Range` from `log_url`. `to` is null while the step runs; all of it is null for a step that has not begun',
    ),
})
export type Step = z.infer<typeof Step>
export const Phase = z.object({ name: z.string(), status: StepStatus, ...Timing, steps: z.array(Step) })
export type Phase = z.infer<typeof Phase>
export const FailedStep = z.object({
  phase: z.string(),
  name: z.string(),
  message: z.string().nullable(),
  exit_code: z.int().nullable(),
})
export type FailedStep = z.infer<typeof FailedStep>

export const Task = z.object({
  id: Id,
  environment_id: Id,
  project_id: Id,
  kind: TaskKind,
  status: TaskStatus,
  reason: TaskReason.nullable(),
  cause: TaskCause,
  started_by: Person.nullable(),
  branch: z.string().nullable(),
  commit: z.object({ sha: Sha, message: z.string().nullable(), author: z.string().nullable() }).nullable(),
  url: z.string(),
  action: z.string().nullable(),
  command: z.array(z.string()).nullable(),
  service: z.string().nullable(),
  created_at: Time,
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  duration_ms: z.int().nullable(),
  phases: z.array(Phase),
  failed_step: FailedStep.nullable(),
  log_url: z.string(),
  log_expired_at: Time.nullable().describe(
    'When its output was removed, after SHIPWAY_TASK_LOG_DAYS; null while it is kept',
  ),
})
export type Task = z.infer<typeof Task>

/** The newest ones; an installation runs fewer at a time. */
export const ACTIVE_TASKS_LISTED = 50

export const ActiveTask = Task.extend({
  environment: Named,
  project: Named,
})
export type ActiveTask = z.infer<typeof ActiveTask>

export const Diagnostics = z.object({
  environment_id: Id,
  task: Task.nullable().describe('The most recent failed deployment'),
  latest_task: z.object({ id: Id, status: TaskStatus }).nullable(),
  is_latest: z.boolean(),
  failed_step: FailedStep.extend({ kind: StepKind, ...Timing }).nullable(),
  output: z
    .object({
      text: z.string(),
      first_line: z.int(),
      last_line: z.int(),
      total_lines: z.int(),
      truncated: z.boolean(),
    })
    .nullable(),
  hints: z.array(z.string()),
  log_url: z.string().nullable(),
  variables_changed: z.boolean(),
})
export type Diagnostics = z.infer<typeof Diagnostics>

export const Durations = z.object({
  environment_id: Id,
  deployments: z.int().describe('How many deployments the medians are taken over, at most 20'),
  duration_ms: z.int().nullable().describe('The median of their durations; null where no deployment has succeeded yet'),
  phases: z
    .array(z.object({ name: z.string(), duration_ms: z.int() }))
    .describe(
      'The median of each phase, over those of the deployments in which it ran; in the order of the newest one',
    ),
})
export type Durations = z.infer<typeof Durations>

/** What a task printed. `offset` is the byte of its log after the text: where to go on. */
export const LogOutput = z.object({ offset: z.int(), text: z.string() })
export type LogOutput = z.infer<typeof LogOutput>

/** How a task ended: the last event for a follower of its log. */
export const LogEnd = z.object({ status: TaskStatus, reason: TaskReason.nullable() })
export type LogEnd = z.infer<typeof LogEnd>

const TaskQuery = PageQuery.extend({
  status: TaskStatus.optional(),
  kind: TaskKind.optional(),
  before: IdParam.optional().describe('Only tasks older than this one'),
})
const StartBody = z
  .strictObject({
    commit: Sha.optional().describe(
      'Without it the newest of the branch. It must be in a branch of the repository, or have been deployed here before',
    ),
    branch: Branch.optional().describe(
      'Another branch, for this deployment alone. Refused for pull requests of forks. With `commit` it is only the name that is shown',
    ),
  })
  .optional()

export const taskRoutes = {
  listActiveTasks: route({
    method: 'GET',
    path: '/api/tasks',
    summary: 'Tasks that are queued or running in all projects, newest first',
    description: `The newest ${ACTIVE_TASKS_LISTED} at most; there are no further pages. Tasks that have ended are in the list of their environment.`,
    permission: 'read',
    scope: 'read',
    success: 200,
    answer: z.array(ActiveTask),
  }),
  listTasks: route({
    method: 'GET',
    path: '/api/environments/{id}/tasks',
    summary: 'Deployment task history of an environment, newest first',
    description: 'Deployments, removals, resets, actions and one-off commands; filter by `kind` and `status`.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: TaskQuery,
    success: 200,
    answer: z.array(Task),
  }),
  startDeployment: route({
    method: 'POST',
    path: '/api/environments/{id}/tasks',
    summary: 'Start a deployment, the same as the Deploy button',
    description: 'Answers 201 only after the task is stored.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: StartBody,
    success: 201,
    answer: Task,
    errors: [
      'approval_required',
      'deployment_in_progress',
      'environment_protected',
      'environment_removing',
      'project_deleting',
      'task_not_created',
    ],
    idempotent: true,
  }),
  getTask: route({
    method: 'GET',
    path: '/api/tasks/{id}',
    summary: 'One task with its phases and steps',
    description: 'Output is not part of it: read the log of the task.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Task,
  }),
  readTaskLog: route({
    method: 'GET',
    path: '/api/tasks/{id}/log',
    summary: 'The raw output of a task',
    description: [
      'As many bytes as there are now. Takes `Range` (206), or `offset`. With `follow=1` it streams server-sent events: `output` with',
      'text, its id the byte offset after it, and at last `end` with the status. `Last-Event-ID` or `offset` says where to go on.',
    ].join(' '),
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: z.strictObject({
      offset: z
        .string()
        .regex(/^[0-9]{1,15}$/)
        .transform(Number)
        .optional(),
      follow: z.enum(['0', '1']).optional(),
    }),
    success: 200,
    answer: z.string(),
    answerType: 'text/plain',
    ranged: true,
    errors: ['log_expired', 'range_not_satisfiable'],
  }),
  cancelTask: route({
    method: 'POST',
    path: '/api/tasks/{id}/cancel',
    summary: 'Cancel a task that is queued or running',
    description: 'A queued task ends at once; a running one is asked to stop. Follow the task to see it end.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    success: 202,
    answer: Task,
    errors: ['too_late', 'environment_protected'],
  }),
  getDiagnostics: route({
    method: 'GET',
    path: '/api/environments/{id}/diagnostics',
    summary: 'Why the most recent failed deployment failed: the step and its output',
    description:
      'With the last lines of its output and hints at the cause. `task` is null where no deployment has failed.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Diagnostics,
  }),
  getDurations: route({
    method: 'GET',
    path: '/api/environments/{id}/durations',
    summary: 'How long deployments of an environment usually take, as a whole and by phase',
    description:
      'Medians over the last 20 deployments that succeeded, resets and rollbacks among them. Also for an environment that was removed.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Durations,
  }),
}
