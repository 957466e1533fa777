// Removes an environment from its server, then from the records, and the project if its deletion waited for that.
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { endTask } from '../progress/progress.ts'
import { removeFromServer } from '../recipes/remove.ts'
import { forgetActions } from '../store/actions/forget-actions.ts'
import { deleteDomains } from '../store/environments/domains.ts'
import { updateEnvironment } from '../store/environments/environments.ts'
import { deletePorts } from '../store/environments/ports.ts'
import { deleteTaskSecrets } from '../store/environments/task-secrets.ts'
import { deleteServiceSamples } from '../store/metrics/service-samples.ts'
import { deleteProjectIfDrained } from '../store/projects/projects.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { loadDeployment } from './load-deployment.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function remove(ctx: Context, dependencies: RunnerDependencies, input: ProgramInput): Promise<void> {
  const { task, run, lease } = input
  const deployment = await loadDeployment(ctx, input)
  const context = await createRecipeContext(ctx, dependencies, input)
  await removeFromServer(run, context, { deployment, recipe: task.triedRecipe, phase: 'Clean up' })
  await run.complete()
  const at = ctx.clock()
  await endTask(ctx, lease, { status: 'succeeded' }, async (tx) => {
    await updateEnvironment(tx, task.environment.id, { removed_at: at, updated_at: at })
    await deleteDomains(tx, task.environment.id)
    await forgetActions(tx, task.environment.id, at)
    await deleteTaskSecrets(tx, task.environment.id)
    await deleteServiceSamples(tx, task.environment.id)
    await deletePorts(tx, { environmentId: task.environment.id, serverId: task.server.id })
  })
  await ctx.change(PLATFORM, (tx) => deleteProjectIfDrained(tx, task.project.id))
}
