// Takes an environment off its server: the destroy tasks of its repository first, then everything that is left of it.
import type { Recipe } from '@shipway/api/values/recipe'
import type { Deployment } from '../deployment/deployment.ts'
import { foldersOf } from '../deployment/folders.ts'
import type { DurableWork, PhaseName, Run, StepIo } from '../deployment/run.ts'
import { CheckFailed, StepFault } from '../domain/tasks/step-fault.ts'
import { removeEverything } from '../runtimes/compose/containers/remove.ts'
import { removeFiles } from '../runtimes/compose/orphans/remove-files.ts'
import { readDestroyTasks } from './destroy-tasks.ts'
import { removeOwnUser } from './manual/command-account.ts'
import { scriptWork } from './manual/deploy.ts'
import { connect } from './prepare/prepare.ts'
import type { RecipeContext } from './recipe-context.ts'

type Removal = {
  readonly deployment: Deployment
  /** How it was tried last; what it was deployed by counts for more. */
  readonly recipe: Recipe
  /** Where its steps stand: a reset goes on afterwards. */
  readonly phase: PhaseName
}

export async function removeFromServer(
  run: Run,
  context: RecipeContext,
  { deployment, recipe, phase }: Removal,
): Promise<void> {
  const prepare = run.phase('Prepare')
  const folders = foldersOf(deployment, await prepare('Connect to the server', connect))
  const { tasks, cwd, environment, account } = await readDestroyTasks(prepare, context, { deployment, folders })

  const step = run.phase(phase)
  for (const [index, task] of tasks.entries()) {
    const work = scriptWork(task, { folder: folders.step(index + 1), cwd, environment, account })
    await step({ key: `Destroy task ${index + 1}`, name: task.name }, (io) => destroyBy(io, work))
  }
  await step('Remove routes', () => context.removeRoutes())
  await step('Remove containers', ({ host }) =>
    removeEverything(host, deployment.ids, deployment.undo?.recipe ?? recipe),
  )
  await step('Remove files', async ({ host }) => {
    const { installationId } = deployment.ids
    const stays = await removeOwnUser(host, deployment)
    if (stays !== undefined) throw CheckFailed(`The user of the environment cannot be removed: ${stays}`)
    const reason = await removeFiles(host, { installationId, paths: [folders.environment] })
    if (reason !== undefined) throw CheckFailed(`Files of the environment cannot be removed: ${reason}`)
  })
}

/** Whatever it is for may still be needed: nothing is removed while it fails. */
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
