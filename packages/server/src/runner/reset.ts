// Takes everything of an environment away, its volumes too, and deploys it again.
import type { Context } from '../context.ts'
import { removeFromServer } from '../recipes/remove.ts'
import { runRecipe } from './deploy.ts'
import { loadDeployment } from './load-deployment.ts'
import { openDoors } from './open-doors.ts'
import type { RunnerParts } from './parts.ts'
import type { TaskWork } from './work.ts'

export async function reset(ctx: Context, parts: RunnerParts, work: TaskWork): Promise<void> {
  const { task, run } = work
  const deployment = await loadDeployment(ctx, work)
  const doors = openDoors(ctx, parts, work)
  await removeFromServer(run, doors, { deployment, recipe: task.triedRecipe, phase: 'Prepare' })
  const afresh = { ...deployment, live: null, servingTaskId: null, keptTaskIds: [] }
  await runRecipe(ctx, work, { deployment: afresh, doors })
}
