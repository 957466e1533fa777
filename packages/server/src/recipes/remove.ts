// Removes an environment from its server: runs the destroy tasks of its repository first.
//
// A removal undoes what was deployed, not what the records ask for now: the recipe is recorded when a task begins, and the destroy tasks are
// read from the release on the server.
import type { Recipe } from '@shipway/api/values/recipe'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Deployment } from '../deployment/deployment.ts'
import { foldersOf } from '../deployment/folders.ts'
import type { DurableWork, PhaseName, Run, StepIo } from '../deployment/run.ts'
import { CheckFailed, StepFault } from '../domain/tasks/step-fault.ts'
import { leftOutSentence } from '../edge/unreachable-manager.ts'
import { removeOwnUser } from './manual/command-account.ts'
import { scriptWork } from './manual/deploy.ts'
import { NO_DESTROY_TASKS } from './manual/destroy-tasks.ts'
import { connect } from './prepare/prepare.ts'
import type { RecipeContext } from './recipe-context.ts'
import { recipes } from './recipes.ts'

type Removal = {
  readonly deployment: Deployment
  /** Recipe of the last attempt. The recipe of the release that is undone takes precedence. */
  readonly recipe: Recipe
  /** The phase of its steps: a reset continues afterwards. */
  readonly phase: PhaseName
}

export async function removeFromServer(
  run: Run,
  context: RecipeContext,
  { deployment, recipe, phase }: Removal,
): Promise<void> {
  const { runtime } = context
  const prepare = run.phase('Prepare')
  const folders = foldersOf(deployment, await prepare('Connect to the server', connect))
  const { undo } = deployment
  const { tasks, cwd, environment, account } = undo
    ? await recipes[undo.recipe].readDestroyTasks(prepare, context, { deployment, folders, undo })
    : NO_DESTROY_TASKS

  const step = run.phase(phase)
  for (const [index, task] of tasks.entries()) {
    const work = scriptWork(task, { folder: folders.step(index + 1), cwd, environment, account })
    await step({ key: `Destroy task ${index + 1}`, name: task.name }, (io) => destroyBy(io, work))
  }
  await step('Remove routes', async ({ say }) => {
    for (const sentence of (await context.removeRoutes()).map(leftOutSentence)) say(sentence)
  })
  await step('Remove containers', async ({ host, say }) => {
    const options = { mayLackEngine: !runsContainers[undo?.recipe ?? recipe] }
    for (const sentence of await runtime.remove(host, deployment.ids, options)) say(sentence)
  })
  await step('Remove files', async ({ host }) => {
    const { installationId } = deployment.ids
    const stays = await removeOwnUser(host, deployment)
    if (stays !== undefined) throw CheckFailed(`The user of the environment cannot be removed: ${stays}`)
    const reason = await runtime.removeFiles(host, { installationId, paths: [folders.environment] })
    if (reason !== undefined) throw CheckFailed(`Files of the environment cannot be removed: ${reason}`)
  })
}

/** A failed destroy task may leave something outside: then the environment stays. */
async function destroyBy(io: StepIo, work: DurableWork): Promise<void> {
  try {
    await io.durably(work)
  } catch (error) {
    if (error instanceof StepFault) {
      io.say('The environment stays until its destroy tasks end with 0.')
      io.say('Correct them in .service.yml, deploy that, and remove it again; what may fail can end in `|| true`.')
    }
    throw error
  }
}
