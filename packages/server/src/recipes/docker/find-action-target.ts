// Finds the container in which an action runs.
import type { StepIo } from '../../deployment/run.ts'
import type { ActionRun, ActionTarget } from '../actions/action-run.ts'
import type { RecipeContext } from '../recipe-context.ts'

export async function findActionTarget(
  io: StepIo,
  { runtime }: Pick<RecipeContext, 'runtime'>,
  { action, deployment, servingTaskId }: ActionRun,
): Promise<ActionTarget> {
  const service = action.service ?? action.mainService
  return {
    type: 'container',
    ...(await runtime.findTarget(io, { owner: deployment.ids, service, servingTaskId, purpose: 'action' })),
  }
}
