// Runs a one-off command in a new container, like that of the service which serves.
import type { Run } from '../../deployment/run.ts'
import { oneOffContainerName } from '../../domain/compose/project-name.ts'
import type { RecipeContext } from '../recipe-context.ts'
import type { OneOffInFolders } from '../runs/one-off.ts'

/** To create and to start are two steps: one that is repeated after an interruption must not start the command again. */
export async function runInNewContainer(
  run: Run,
  { runtime, registry }: Pick<RecipeContext, 'runtime' | 'registry'>,
  { run: { deployment, service: named, mainService, servingTaskId, words, title }, folders }: OneOffInFolders,
): Promise<void> {
  const { ids: owner, taskId } = deployment
  const service = named ?? mainService
  const prepare = run.phase('Prepare')
  const target = await prepare({ key: 'Find the place', name: 'Find the target' }, (io) =>
    runtime.findTarget(io, { owner, service, servingTaskId, purpose: 'command' }),
  )
  const container = oneOffContainerName(owner, 'run', taskId)
  await prepare('Create the container', ({ host }) =>
    runtime.createOneOff(host, target, {
      owner,
      taskId,
      container,
      words,
      input: 'none',
      releases: folders.releases,
      registry,
    }),
  )
  await run.phase('Run')({ key: 'Run the command', name: title }, (io) =>
    runtime.runOneOff(io, container, { folder: folders.step(1) }),
  )
}
