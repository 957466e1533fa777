// Loads the deployment, creates the recipe's context, and runs the recipe.
import { reservedFor } from '@shipway/api/values/variable'
import type { Context } from '../context.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Run } from '../deployment/run.ts'
import { endTask } from '../progress/progress.ts'
import type { RecipeContext } from '../recipes/recipe-context.ts'
import { recipes } from '../recipes/recipes.ts'
import { replaceActions } from '../store/actions/environment-actions.ts'
import { releasePorts } from '../store/environments/ports.ts'
import { deleteReplacedSecrets } from '../store/environments/task-secrets.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { findSwarmFault } from './find-swarm-fault.ts'
import { loadDeployment } from './load-deployment.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function deploy(ctx: Context, dependencies: RunnerDependencies, input: ProgramInput): Promise<void> {
  const deployment = await loadDeployment(ctx, input)
  const context = await createRecipeContext(ctx, dependencies, input)
  await refuseUndeployable(ctx, input, deployment)
  await runRecipe(ctx, input, { deployment, context })
}

/** Call before the first change to the server. */
export async function refuseUndeployable(ctx: Context, input: ProgramInput, { variables }: Deployment): Promise<void> {
  const { task, run } = input
  const reserved = [...variables.keys()].filter((key) => reservedFor(key, task.recipe))
  if (reserved.length > 0) await run.refuse('Check variables', reservedSentence(task.recipe, reserved))
  const swarmFault = await findSwarmFault(ctx, task.server)
  if (swarmFault !== undefined) await run.refuse('Check the Swarm', swarmFault)
}

type RecipeInput = { readonly deployment: Deployment; readonly context: RecipeContext }

const DAY_MS = 24 * 60 * 60_000

export async function runRecipe(
  ctx: Context,
  { task, run, lease }: ProgramInput,
  { deployment, context }: RecipeInput,
): Promise<void> {
  if (task.movedFrom !== null) await explainMove(run, task.movedFrom)
  const { actions, services } = await recipes[task.recipe].deploy(run, deployment, context)
  await run.complete()
  const environmentId = task.environment.id
  const mainService = services.find(({ isMain }) => isMain)?.name ?? null
  await endTask(ctx, lease, { status: 'succeeded' }, async (tx) => {
    const logsSince = ctx.clock() - ctx.config.keptOutput.days * DAY_MS
    // The previous release no longer serves. A failed deployment keeps both ports, because a process may listen on either.
    await releasePorts(tx, { environmentId, serverId: task.server.id })
    await deleteReplacedSecrets(tx, { environmentId, logsSince })
    await replaceActions(tx, { environmentId, taskId: task.id, actions, mainService, at: ctx.clock() })
  })
}

/** Says before anything else that data is not moved. */
function explainMove(run: Run, from: string): Promise<void> {
  return run.phase('Prepare')('Note the move', async ({ say }) => {
    say(`It was deployed on ${from} last, and is served there until this deployment switches the routes`)
    say('The data in its volumes is not moved: it stays there until the environment is removed or reset')
  })
}

const reservedSentence = (recipe: string, keys: readonly string[]): string =>
  `The ${recipe} recipe cannot take these variables: ${keys.join(', ')}. Unset them and deploy again`
