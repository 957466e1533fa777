// Runs the command of an action in its target, as a durable step.
import type { Folders } from '../../deployment/folders.ts'
import type { DurableWork, StepIo } from '../../deployment/run.ts'
import type { RecipeContext } from '../recipe-context.ts'
import type { ActionRun, ActionTarget } from './action-run.ts'

type TargetedAction = {
  readonly what: ActionRun
  readonly target: ActionTarget
  readonly folders: Folders
  readonly environment: DurableWork['environment']
}

export async function runInTarget(
  io: StepIo,
  { runtime }: Pick<RecipeContext, 'runtime'>,
  { what, target, folders, environment }: TargetedAction,
): Promise<void> {
  const { run: script, timeoutMs } = what.action
  const work = { folder: folders.step(1), ...(timeoutMs !== null && { timeoutMs }) }
  if (target.type === 'container')
    return runtime.exec(io, target, { script, owner: what.deployment.ids, folder: folders.task, work })
  const { folder: cwd, account } = target
  return io.durably({ ...work, run: { script }, cwd, environment, ...(account && { account }) })
}
