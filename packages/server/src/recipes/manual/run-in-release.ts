// Runs a one-off command in the folder of the release that serves, as its deploy tasks and actions run.
import type { Run } from '../../deployment/run.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import type { RecipeContext } from '../recipe-context.ts'
import type { OneOffInFolders } from '../runs/one-off.ts'
import { findRelease } from './find-release.ts'
import { variablesOfRelease } from './variables-of-release.ts'

export async function runInRelease(
  run: Run,
  context: RecipeContext,
  { run: oneOff, folders }: OneOffInFolders,
): Promise<void> {
  const { deployment, words, title } = oneOff
  const target = await run.phase('Prepare')({ key: 'Find the place', name: 'Find the target' }, (io) => {
    if (oneOff.service !== null) throw CheckFailed(NO_SERVICES)
    return findRelease(io, oneOff, folders)
  })
  const environment = await variablesOfRelease(run, context, { deployment, target })
  const { folder: cwd, account } = target
  await run.phase('Run')({ key: 'Run the command', name: title }, (io) =>
    io.durably({ run: words, folder: folders.step(1), cwd, environment, ...(account && { account }) }),
  )
}

const NO_SERVICES =
  'This environment is deployed by the manual recipe, whose commands run in the folder of the release. Leave out the service'
