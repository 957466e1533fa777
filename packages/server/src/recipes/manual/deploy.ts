// The manual recipe: the deploy tasks of `.service.yml`, one after the other, in a folder of the release.
import type { ScriptStep } from '../../domain/repository-config.ts'
import type { Host } from '../../remote/host.ts'
import type { Secret } from '../../secrets/secret.ts'
import { type Deployment, type Folders, foldersOf, systemVariables } from '../deployment.ts'
import { checkDomains, connect, ensureCommit, fetchSource, type NamedService, readConfig } from '../prepare.ts'
import type { DurableWork, Run } from '../run.ts'

export async function deployManually(run: Run, deployment: Deployment): Promise<void> {
  const { sha, config, services, folders, ports } = await run.phase('Prepare', async (step) => {
    const sha = await fetchSource(step, deployment)
    const config = await readConfig(step, deployment, { sha, recipe: 'manual' })
    const services = await checkDomains(step, deployment, config.services)
    const home = await connect(step)
    const ports = await step('Allot ports', () => deployment.allotPorts(config.services))
    return { sha, config, services, ports, folders: foldersOf(deployment.serverFolder(home), deployment) }
  })
  await run.phase('Transfer', async (step) => {
    await step('Push the commit', async ({ host, signal, say }) => {
      await ensureCommit(deployment, sha, signal)
      const what = { projectId: deployment.project.id, sha, host, repository: folders.repository }
      say((await deployment.source.pushCommit(what, { signal })) === 'sent' ? 'Sent' : 'The server has it already')
    })
    await step('Check out', ({ host, signal }) =>
      deployment.source.checkout({ host, repository: folders.repository, sha, folder: folders.release }, { signal }),
    )
  })
  const environment = environmentOf(deployment, services, ports)
  await run.phase('Start', async (step) => {
    for (const [index, task] of config.deploy.entries()) {
      await step(task.name, (io) =>
        io.durably(scriptWork(task, { folder: folders.step(index + 1), cwd: folders.release, environment })),
      )
    }
  })
  await run.phase('Switch', (step) =>
    step('Switch routes', async ({ say }) => {
      const routes = routesOf(services, ports)
      await deployment.switchRoutes(routes)
      for (const { domain, port } of routes) say(`${domain} leads to port ${port}`)
    }),
  )
  await run.phase('Clean up', (step) =>
    step('Remove old releases', ({ host }) => removeOld(host, folders, deployment.taskId)),
  )
}

type Place = { readonly folder: string; readonly cwd: string; readonly environment: DurableWork['environment'] }

export function scriptWork({ run, timeoutMs }: ScriptStep, place: Place): DurableWork {
  return { run: { script: run }, ...place, ...(timeoutMs !== null && { timeoutMs }) }
}

/** Custom variables first, ours last: ours always win. */
export function environmentOf(
  deployment: Deployment,
  services: readonly NamedService[],
  ports: Readonly<Record<string, number>>,
): DurableWork['environment'] {
  const own = services.flatMap(({ service }): [string, string][] => {
    const port = String(service.port ?? ports[service.name])
    const named: [string, string] = [`PORT_${service.name.toUpperCase().replaceAll('-', '_')}`, port]
    return service.isMain ? [['PORT', port], named] : [named]
  })
  return new Map<string, Secret | string>([...deployment.variables, ...own, ...systemVariables(deployment)])
}

function routesOf(services: readonly NamedService[], ports: Readonly<Record<string, number>>) {
  return services.map(({ service, domain }) => ({
    service: service.isMain ? '' : service.name,
    domain,
    port: service.port ?? ports[service.name] ?? 0,
  }))
}

const KEPT_RELEASES = 3

/** Keeps this release and the newest before it, and of what durable steps left only this task's. */
async function removeOld(host: Host, { releases, steps }: Folders, taskId: number): Promise<void> {
  const { stdout } = await host.run(['find', releases, steps, '-mindepth', '1', '-maxdepth', '1'])
  const paths = stdout.toString().split('\n')
  const old = [...olderIn(releases, paths, taskId).slice(KEPT_RELEASES - 1), ...olderIn(steps, paths, taskId)]
  if (old.length > 0) await host.run(['rm', '-rf', '--', ...old])
}

/** Folders named by tasks before this one, newest first. */
function olderIn(folder: string, paths: readonly string[], taskId: number): string[] {
  const names = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
  const ids = names.filter((name) => /^[0-9]+$/.test(name)).map(Number)
  return ids
    .filter((id) => id < taskId)
    .sort((a, b) => b - a)
    .map((id) => `${folder}/${id}`)
}
