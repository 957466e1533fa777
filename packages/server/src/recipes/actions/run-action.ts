// Runs an action: one command in the live version, then keeps the files that it left.
//
// An action is a task but not a deployment: *locked*, *status*, *last task*, durations and diagnostics leave it out, and the runner has separate
// slots for it. Only removal and reset end it. It runs in the release that serves when it begins. Files are checked by the opened file, not by
// name: a list of files comes from the container and is not trusted.
import { type Folders, foldersOf } from '../../deployment/folders.ts'
import type { DurableWork, Run, StepIo } from '../../deployment/run.ts'
import { variablesOfRelease } from '../manual/variables-of-release.ts'
import { connect } from '../prepare/prepare.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { recipes } from '../recipes.ts'
import type { ActionRun, ActionTarget } from './action-run.ts'
import { type KeptArtifact, keepArtifacts } from './keep-artifacts.ts'

export async function runActionProgram(
  run: Run,
  context: RecipeContext,
  what: ActionRun,
): Promise<readonly KeptArtifact[]> {
  const prepare = run.phase('Prepare')
  const folders = foldersOf(what.deployment, await prepare('Connect to the server', connect))
  const target = await prepare({ key: 'Find the place', name: 'Find the target' }, (io) =>
    recipes[what.recipe].findActionTarget(io, context, { run: what, folders }),
  )
  const environment =
    target.type === 'release'
      ? await variablesOfRelease(run, context, { deployment: what.deployment, target })
      : new Map()
  await run.phase('Run')({ key: 'Run the action', name: what.action.name }, (io) =>
    runInTarget(io, context, { what, target, folders, environment }),
  )
  return keepArtifacts(run, context, { what, target, folders })
}

type TargetedAction = {
  readonly what: ActionRun
  readonly target: ActionTarget
  readonly folders: Folders
  readonly environment: DurableWork['environment']
}

/** As a durable step. */
async function runInTarget(
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
