// Takes an environment off its server: the destroy tasks of its repository first, then everything that is left of it.
import type { ManualConfig } from '../domain/repository-config.ts'
import { CheckFailed } from '../domain/step-fault.ts'
import { type Deployment, foldersOf } from './deployment.ts'
import { removeEverything } from './docker/containers/remove.ts'
import { removeFiles } from './docker/containers/remove-files.ts'
import { environmentOf, scriptWork } from './manual/deploy.ts'
import { checkDomains, connect, readConfig } from './prepare.ts'
import type { DoStep, DurableWork, PhaseName, Run } from './run.ts'

type Removal = {
  readonly recipe: 'docker' | 'manual'
  /** Where its steps stand: a reset goes on afterwards. */
  readonly phase: PhaseName
}

export async function removeFromServer(run: Run, deployment: Deployment, { recipe, phase }: Removal): Promise<void> {
  const { folders, destroy, environment } = await run.phase('Prepare', async (step) => {
    const folders = foldersOf(deployment.serverFolder(await connect(step)), deployment)
    return { folders, ...(recipe === 'manual' ? await readDestroyTasks(step, deployment) : NOTHING) }
  })
  await run.phase(phase, async (step) => {
    for (const [index, task] of destroy.entries()) {
      const cwd = `${folders.releases}/${deployment.live?.taskId}`
      await step(task.name, (io) => io.durably(scriptWork(task, { folder: folders.step(index + 1), cwd, environment })))
    }
    await step('Remove routes', () => deployment.switchRoutes([]))
    await step('Remove containers', ({ host }) => removeEverything(host, deployment.ids, recipe))
    await step('Remove files', async ({ host }) => {
      const { installationId } = deployment.ids
      const reason = await removeFiles(host, { installationId, paths: [folders.environment] })
      if (reason !== undefined) throw CheckFailed(`Files of the environment cannot be removed: ${reason}`)
    })
  })
}

type Destroy = { readonly destroy: ManualConfig['destroy']; readonly environment: DurableWork['environment'] }

const NOTHING: Destroy = { destroy: [], environment: new Map() }

/** An environment that never got so far as to serve has nothing to destroy, only folders. */
async function readDestroyTasks(step: DoStep, deployment: Deployment): Promise<Destroy> {
  if (deployment.live === null) return NOTHING
  const config = await readConfig(step, deployment, { sha: deployment.live.commitSha, recipe: 'manual' })
  const services = await checkDomains(step, deployment, config.services)
  const ports = await step('Find ports', () => deployment.allotPorts(config.services))
  return { destroy: config.destroy, environment: environmentOf(deployment, services, ports) }
}
