// The manual recipe: the deploy tasks of `.service.yml`, one after the other, in a folder of the release.
import type { ScriptStep } from '../../domain/repository/repository-config.ts'
import { serviceInRoute } from '../../domain/service-domains.ts'
import type { Host } from '../../remote/host.ts'
import type { Secret } from '../../secrets/secret.ts'
import { type Deployment, systemVariables } from '../deployment.ts'
import { foldersOf } from '../folders.ts'
import { leftoversOf } from '../leftovers.ts'
import { checkDomains, connect, fetchSource, type NamedService, readConfig } from '../prepare.ts'
import type { DurableWork, Run } from '../run.ts'
import { tidyUp } from '../tidy-up.ts'
import { transferSource } from '../transfer.ts'
import { writeVariables } from '../write-variables.ts'
import { checkListeners, type Ports, portVariable, providePorts } from './provide-ports.ts'

export async function deployManually(run: Run, deployment: Deployment): Promise<void> {
  const { sha, config, services, base, folders, ports, foreign } = await run.phase('Prepare', async (step) => {
    const sha = await fetchSource(step, deployment)
    const config = await readConfig(step, deployment, { sha, recipe: 'manual' })
    const services = await checkDomains(step, deployment, config.services)
    const home = await connect(step)
    const base = deployment.serverFolder(home)
    const folders = foldersOf(base, deployment)
    const title = { key: 'Provide ports', name: 'Allot ports' } as const
    const { ports, foreign } = await step(title, (io) => providePorts(io, deployment, { config, folders }))
    return { sha, config, services, ports, foreign, base, folders }
  })
  await run.phase('Transfer', async (step) => {
    await transferSource(step, deployment, { sha, folders })
    await writeVariables(step, deployment, folders)
  })
  const environment = environmentOf(deployment, services, ports)
  await run.phase('Start', async (step) => {
    for (const [index, task] of config.deploy.entries()) {
      await step({ key: `Deploy task ${index + 1}`, name: task.name }, (io) =>
        io.durably(scriptWork(task, { folder: folders.step(index + 1), cwd: folders.release, environment })),
      )
    }
    if (foreign.length > 0) await step('Check who listens', (io) => checkListeners(io, deployment, foreign))
  })
  await run.phase('Switch', (step) =>
    step('Switch routes', async ({ say }) => {
      const routes = routesOf(deployment, services, ports)
      await deployment.switchRoutes(routes)
      for (const { domain, port } of routes) say(`${domain} leads to port ${port}`)
    }),
  )
  await run.phase('Clean up', (step) =>
    step('Remove old releases', (io) => tidyUp(io, () => removeOld(io.host, base, deployment))),
  )
}

type ScriptContext = { readonly folder: string; readonly cwd: string; readonly environment: DurableWork['environment'] }

export function scriptWork({ run, timeoutMs }: ScriptStep, place: ScriptContext): DurableWork {
  return { run: { script: run }, ...place, ...(timeoutMs !== null && { timeoutMs }) }
}

/** Custom variables first, ours last: ours always win. */
export function environmentOf(
  deployment: Deployment,
  services: readonly NamedService[],
  ports: Ports,
): DurableWork['environment'] {
  const own = services.flatMap(({ service }): [string, string][] => {
    const port = String(service.port ?? ports[service.name])
    const named: [string, string] = [portVariable(service.name), port]
    return service.isMain ? [['PORT', port], named] : [named]
  })
  return new Map<string, Secret | string>([...deployment.variables, ...own, ...systemVariables(deployment)])
}

function routesOf({ environment }: Deployment, services: readonly NamedService[], ports: Ports) {
  return services.map((named) => ({
    service: serviceInRoute(named, environment),
    domain: named.domain,
    port: named.service.port ?? ports[named.service.name] ?? 0,
  }))
}

/** This task has not ended yet, so its own traces stay for the platform's clean-up. */
async function removeOld(host: Host, folder: string, deployment: Deployment): Promise<readonly string[]> {
  const environmentId = deployment.environment.id
  const stayed: string[] = []
  for (const kind of leftoversOf('manual')) {
    const { tasks, paths } = await kind.list(host, { folder, environmentIds: [environmentId] })
    const remains = await deployment.remainsOf(tasks.get(environmentId) ?? [])
    stayed.push(...(await kind.remove(host, { folder, paths }, [{ environmentId, isGone: false, remains }])))
  }
  return stayed
}
