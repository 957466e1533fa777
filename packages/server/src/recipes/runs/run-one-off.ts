// Runs a one-off command in the release that serves when it begins. A deployment meanwhile leaves it alone; a removal or a reset ends it.
import { foldersOf } from '../../deployment/folders.ts'
import type { Run } from '../../deployment/run.ts'
import { connect } from '../prepare/prepare.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { recipes } from '../recipes.ts'
import type { OneOffRun } from './one-off.ts'

export async function runOneOffProgram(run: Run, context: RecipeContext, oneOff: OneOffRun): Promise<void> {
  const folders = foldersOf(oneOff.deployment, await run.phase('Prepare')('Connect to the server', connect))
  await recipes[oneOff.recipe].runOneOff(run, context, { run: oneOff, folders })
}
