// Actions and artifacts as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import type { Artifact } from '../../store/actions/artifacts.ts'
import type { EnvironmentAction } from '../../store/actions/environment-actions.ts'
import type { LastRun } from '../../store/actions/last-runs.ts'
import type { Moment } from '../../store/schedules/schedule-moments.ts'
import { presentTime } from './time.ts'

export type ActionRuns = { readonly last: LastRun | undefined; readonly moments: readonly Moment[] }

/** Leaves out the command, which is in the repository. */
export const presentAction = (
  action: EnvironmentAction,
  { last, moments }: ActionRuns,
): RouteAnswer<Routes['listActions']>[number] => ({
  name: action.name,
  service: action.service,
  artifact_paths: [...action.artifactPaths],
  disabled_reason: action.disabledReason,
  schedule: action.schedule?.cron ?? null,
  timezone: action.schedule?.timeZone ?? null,
  catch_up: action.schedule?.catchesUp ?? false,
  next_run_at: presentTime(action.schedule?.nextRunAt ?? null),
  last_run: last ? { task_id: last.taskId, status: last.status, at: presentTime(last.at) } : null,
  schedule_history: moments.map(({ dueAt, outcome, reason, taskId }) => ({
    due_at: presentTime(dueAt),
    outcome,
    reason,
    task_id: taskId,
  })),
})

export const presentArtifact = (
  ctx: Pick<Context, 'config'>,
  artifact: Artifact,
): RouteAnswer<Routes['listArtifacts']>[number] => ({
  id: artifact.id,
  task_id: artifact.taskId,
  path: artifact.path,
  size: artifact.size,
  url: `${ctx.config.baseUrl}/api/artifacts/${artifact.id}`,
  created_at: presentTime(artifact.createdAt),
  expires_at: presentTime(artifact.expiresAt),
})
