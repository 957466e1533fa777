// Runs an action of an environment in the serving release, and records its artifacts for download.
import type { Context } from '../context.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { endTask } from '../progress/progress.ts'
import type { ActionToRun } from '../recipes/actions/action-run.ts'
import { runActionProgram } from '../recipes/actions/run-action.ts'
import { insertArtifacts } from '../store/actions/artifacts.ts'
import { findAction, findServing } from '../store/actions/environment-actions.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { loadDeployment } from './load-deployment.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function runAction(ctx: Context, dependencies: RunnerDependencies, input: ProgramInput): Promise<void> {
  const { task, run, lease, secrets } = input
  const deployment = await loadDeployment(ctx, input)
  // Recorded as the result of a step, because a deployment that ends meanwhile may change the actions.
  const found = await run.phase('Prepare')('Find the action', () => findRunnable(ctx, task))
  const collected = await runActionProgram(run, await createRecipeContext(ctx, dependencies, input), {
    deployment,
    ...found,
    recipe: task.recipe,
    mostArtifactBytes: ctx.config.artifactMebibytes * 1024 ** 2,
  })
  await run.complete()
  const createdAt = ctx.clock()
  const expiresAt = createdAt + ctx.config.artifactDays * DAY_MS
  const artifacts = collected.map((artifact) => ({ ...artifact, path: secrets.mask.text(artifact.path) }))
  await endTask(ctx, lease, { status: 'succeeded' }, async (tx) => {
    if (artifacts.length > 0) await insertArtifacts(tx, task.id, { artifacts, createdAt, expiresAt })
  })
}

const DAY_MS = 86_400_000

async function findRunnable(
  ctx: Context,
  task: TaskToRun,
): Promise<{ readonly action: ActionToRun; readonly servingTaskId: number }> {
  const environmentId = task.environment.id
  const action = await findAction(ctx.db, environmentId, task.action ?? '')
  if (!action) throw CheckFailed(`The deployment that serves now has no action ${task.action ?? ''}`)
  const { name, run, service, mainService, artifactPaths, timeoutMs } = action
  if (run === null) throw CheckFailed(action.disabledReason ?? 'This action is disabled')
  const serving = await findServing(ctx.db, { environmentId, serverId: task.server.id })
  if (!serving) throw CheckFailed('Nothing of this environment is deployed now. Deploy it, and run the action again')
  return {
    action: { name, run, service, mainService, artifactPaths, timeoutMs },
    servingTaskId: serving.taskId,
  }
}
