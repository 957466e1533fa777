// Actions and artifacts as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import type { Artifact } from '../../store/actions/artifacts.ts'
import type { EnvironmentAction } from '../../store/actions/environment-actions.ts'
import { presentTime } from './time.ts'

/** Leaves out the command, which is in the repository. */
export const presentAction = (action: EnvironmentAction): RouteAnswer<Routes['listActions']>[number] => ({
  name: action.name,
  service: action.service,
  artifact_paths: [...action.artifactPaths],
  disabled_reason: action.disabledReason,
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
