// Finds the container in which an action runs.
import type { StepIo } from '../../deployment/run.ts'
import type { ActionRun, ActionTarget } from '../actions/action-run.ts'
import type { RecipeContext } from '../recipe-context.ts'

export async function findActionTarget(
  io: StepIo,
  { runtime, registry }: Pick<RecipeContext, 'runtime' | 'registry'>,
  { action, deployment: { ids: owner, taskId }, servingTaskId }: ActionRun,
): Promise<ActionTarget> {
  const service = action.service ?? action.mainService
  const target = await runtime.findTarget(io, { owner, service, servingTaskId, purpose: 'action' })
  if (action.artifactPaths.length === 0 || !runtime.holdTarget) return { type: 'container', ...target }
  return { type: 'container', ...(await runtime.holdTarget(io, target, { owner, taskId, registry })) }
}
