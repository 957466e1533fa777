// Takes everything of an environment away, its volumes too, and deploys it again.
import type { Context } from '../context.ts'
import { removeFromServer } from '../recipes/remove.ts'
import { runRecipe } from './deploy.ts'
import { loadDeployment } from './load-deployment.ts'
import type { Parts } from './parts.ts'
import type { Work } from './work.ts'

export async function reset(ctx: Context, parts: RunnerParts, work: TaskWork): Promise<void> {
  const { task, run } = work
  const deployment = await loadDeployment(ctx, parts, work)
  await removeFromServer(run, deployment, { recipe: task.triedRecipe, phase: 'Prepare' })
  await runRecipe(ctx, work, { ...deployment, live: null, servingTaskId: null, keptTaskIds: [] })
}
