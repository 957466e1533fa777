// Removes an environment from its server, including its volumes, and deploys it again.
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { removeFromServer } from '../recipes/remove.ts'
import { expireArtifacts } from '../store/actions/artifacts.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { refuseUndeployable, runRecipe } from './deploy.ts'
import { loadDeployment } from './load-deployment.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function reset(ctx: Context, dependencies: RunnerDependencies, input: ProgramInput): Promise<void> {
  const { task, run } = input
  const deployment = await loadDeployment(ctx, input)
  const context = await createRecipeContext(ctx, dependencies, input)
  // First, so that what cannot be deployed again is not removed.
  await refuseUndeployable(ctx, input, deployment)
  await removeFromServer(run, context, { deployment, recipe: task.triedRecipe, phase: 'Prepare' })
  // The artifacts were removed with the environment's folder.
  await ctx.change(PLATFORM, (tx) => expireArtifacts(tx, task.environment.id, ctx.clock()))
  const afresh = { ...deployment, live: null, hasBeenLive: false, servingTaskId: null, keptTaskIds: [] }
  await runRecipe(ctx, input, { deployment: afresh, context })
}
