// Takes everything of an environment away, its volumes too, and deploys it again.
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { removeFromServer } from '../recipes/remove.ts'
import { expireArtifacts } from '../store/actions/artifacts.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { runRecipe } from './deploy.ts'
import { loadDeployment } from './load-deployment.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'
import type { ProgramInput } from './program-input.ts'

export async function reset(ctx: Context, parts: RunnerDependencies, work: ProgramInput): Promise<void> {
  const { task, run } = work
  const deployment = await loadDeployment(ctx, work)
  const context = createRecipeContext(ctx, parts, work)
  await removeFromServer(run, context, { deployment, recipe: task.triedRecipe, phase: 'Prepare' })
  // They went with the folder of the environment; its actions are what the next deployment brings.
  await ctx.change(PLATFORM, (tx) => expireArtifacts(tx, task.environment.id, ctx.clock()))
  const afresh = { ...deployment, live: null, servingTaskId: null, keptTaskIds: [] }
  await runRecipe(ctx, work, { deployment: afresh, context })
}
