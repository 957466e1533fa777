// The manual recipe: the deploy tasks of `.service.yml`, one after the other, in a folder of the release.
import type { ManualConfig, ScriptStep } from '@shipway/rules/service-file/repository-config'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'
import { cleanUp } from '../../deployment/clean-up.ts'
import { type Deployment, systemVariables } from '../../deployment/deployment.ts'
import { type Folders, foldersOf } from '../../deployment/folders.ts'
import { routesOf } from '../../deployment/routes.ts'
import type { DurableWork, Run, StepIo } from '../../deployment/run.ts'
import { writeVariables } from '../../deployment/write-variables.ts'
import type { NamedService } from '../../domain/service-domains.ts'
import { type Account, accountRelease } from '../../remote/accounts/account.ts'
import type { Secret } from '../../secrets/secret.ts'
import { checkAddress, planVisit } from '../check-address.ts'
import { checkDomains, connect, fetchSource, readConfig } from '../prepare/prepare.ts'
import { checkOut, pushCommit } from '../prepare/transfer.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { switchRoutes } from '../switch-routes.ts'
import { giveRelease } from './command-account.ts'
import { checkListeners, type Ports, portVariable, providePorts } from './provide-ports.ts'
import { keepLogs, logVariables, makeLogFolder } from './service-logs.ts'

/** Returns what was deployed, as its `.service.yml` says. */
export async function deployManually(run: Run, deployment: Deployment, context: RecipeContext): Promise<ManualConfig> {
  const prepare = run.phase('Prepare')
  const { sha } = await prepare('Fetch source', (io) => fetchSource(io, context, deployment))
  const config = await prepare('Read .service.yml', (io) =>
    readConfig(io, context, { deployment, sha, recipe: 'manual', suggest: suggestManualFile }),
  )
  const services = await prepare('Check domains', (io) =>
    checkDomains(io, context, { deployment, services: config.services }),
  )
  const home = await prepare('Connect to the server', connect)
  const folders = foldersOf(deployment, home)
  const { ports, foreign } = await prepare({ key: 'Provide ports', name: 'Allocate ports' }, (io) =>
    providePorts(io, context, { deployment, folders, services: config.services }),
  )

  const transfer = run.phase('Transfer')
  await transfer('Push the commit', (io) => pushCommit(io, context, { deployment, sha, folders }))
  await transfer('Check out', (io) => checkOut(io, context, { deployment, sha, folders }))
  const handed = await transfer('Write variables', async (io) => {
    await makeLogFolder(io, folders)
    await writeVariables(io, deployment, { folders, runtime: context.runtime })
    return {
      account: await giveRelease(io, { deployment, folders, services: config.services.map(({ name }) => name) }),
    }
  })
  const account = handed?.account ?? null
  const cwd = account ? accountRelease(account, deployment.taskId) : folders.release

  const start = run.phase('Start')
  const environment = withLogs(
    environmentOf(deployment, services, ports),
    logVariables(services, { deployment, folders, account }),
  )
  for (const [index, task] of config.deploy.entries()) {
    const work = scriptWork(task, { folder: folders.step(index + 1), cwd, environment, account })
    await start({ key: `Deploy task ${index + 1}`, name: task.name }, (io) => io.durably(work))
  }
  if (foreign.length > 0) await start('Check who listens', (io) => checkListeners(io, context, { deployment, foreign }))

  const routes = routesOf(deployment, services, ({ name, port }) => port ?? ports[name])
  const visit = planVisit(context, services, routes)
  await run.phase('Switch')('Switch routes', (io) => switchRoutes(io, context, { routes, visit }))

  const finish = run.phase('Clean up')
  await finish('Remove old releases', (io) =>
    cleanUp(io, () => removeOld(io, context, { deployment, folders, account })),
  )
  if (visit) await finish('Check the address', (io) => checkAddress(io, visit))
  return config
}

const suggestManualFile = async (): Promise<string> => suggestServiceFile({ compose: null, dockerfile: null })

type ScriptContext = Pick<DurableWork, 'folder' | 'environment'> & {
  readonly cwd: string
  readonly account: Account | null
}

export function scriptWork({ run, timeoutMs }: ScriptStep, { account, ...context }: ScriptContext): DurableWork {
  return { run: { script: run }, ...context, ...(account && { account }), ...(timeoutMs !== null && { timeoutMs }) }
}

export const withLogs = (
  environment: DurableWork['environment'],
  logs: readonly (readonly [string, string])[],
): DurableWork['environment'] => new Map([...environment, ...logs])

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

type CleanUpScope = { readonly deployment: Deployment; readonly folders: Folders; readonly account: Account | null }

/** This task has not ended yet, so its own traces stay for the platform's clean-up. */
async function removeOld(
  { host }: StepIo,
  context: RecipeContext,
  { deployment, folders, account }: CleanUpScope,
): Promise<readonly string[]> {
  const environmentId = deployment.environment.id
  const folder = folders.server
  const { files } = context.runtime.orphans
  const { tasks, paths } = await files.list(host, { folder, environmentIds: [environmentId] })
  const ended = await context.orphansOf(tasks.get(environmentId) ?? [])
  const stayed = await files.remove(host, { folder, paths }, [{ environmentId, isGone: false, tasks: ended }])
  return [...stayed, ...(await keepLogs({ host }, { deployment, folders, account }))]
}
