// Takes a manually deployed environment off its server: its own destroy tasks first, then everything that is left.
import { type Deployment, foldersOf } from '../deployment.ts'
import { checkDomains, connect, readConfig } from '../prepare.ts'
import type { Run } from '../run.ts'
import { environmentOf, scriptWork } from './deploy.ts'

type Live = { readonly taskId: number; readonly commitSha: string }

/** `live` is what serves; an environment that never got so far has nothing to destroy, only folders. */
export async function removeManually(run: Run, deployment: Deployment, live: Live | null): Promise<void> {
  const { folders, config, environment } = await run.phase('Prepare', async (step) => {
    const home = await connect(step)
    const folders = foldersOf(deployment.serverFolder(home), deployment)
    if (live === null) return { folders, config: undefined, environment: new Map<string, string>() }
    const config = await readConfig(step, deployment, { sha: live.commitSha, recipe: 'manual' })
    const services = await checkDomains(step, deployment, config.services)
    const ports = await step('Find ports', () => deployment.allotPorts(config.services))
    return { folders, config, environment: environmentOf(deployment, services, ports) }
  })
  await run.phase('Clean up', async (step) => {
    for (const [index, task] of (config?.destroy ?? []).entries()) {
      const cwd = `${folders.releases}/${live?.taskId}`
      await step(task.name, (io) => io.durably(scriptWork(task, { folder: folders.step(index + 1), cwd, environment })))
    }
    await step('Remove routes', () => deployment.switchRoutes([]))
    await step('Remove files', async ({ host }) => {
      const { exitCode, stderr } = await host.run(['rm', '-rf', '--', folders.environment])
      if (exitCode !== 0) throw new Error(stderr.toString().trim())
    })
  })
}
