// What the repository of an environment asks to be done before it goes: the destroy tasks of the release that is undone.
import { posix } from 'node:path'
import { type ManualConfig, RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../deployment/deployment.ts'
import type { Folders } from '../deployment/folders.ts'
import type { DoStep, DurableWork, StepIo } from '../deployment/run.ts'
import { type Account, accountFolder, accountRelease } from '../remote/accounts/account.ts'
import { SourceError } from '../source/source-error.ts'
import { accountOf, findAccount, giveRelease } from './manual/command-account.ts'
import { environmentOf, withLogs } from './manual/deploy.ts'
import { portsByService } from './manual/provide-ports.ts'
import { readConfigIn } from './manual/read-config-in.ts'
import { logVariables } from './manual/service-logs.ts'
import { CONFIG_FILE } from './prepare/prepare.ts'
import { bringSource } from './prepare/transfer.ts'
import type { RecipeContext } from './recipe-context.ts'

export type Destroy = {
  readonly tasks: ManualConfig['destroy']
  /** Where they run. */
  readonly cwd: string
  readonly environment: DurableWork['environment']
  readonly account: Account | null
}

type Where = { readonly deployment: Deployment; readonly folders: Folders }
type Undo = NonNullable<Deployment['undo']>

export async function readDestroyTasks(
  step: DoStep,
  context: RecipeContext,
  { deployment, folders }: Where,
): Promise<Destroy> {
  const nothing = { tasks: [], cwd: folders.environment, environment: new Map(), account: null }
  const { undo } = deployment
  if (undo?.recipe !== 'manual') return nothing
  const cwd = await step('Find the release', (io) => findRelease(io, context, { deployment, folders, undo }))
  if (cwd === null) return nothing
  const account = cwd.startsWith(`${accountFolder(accountOf(deployment))}/`) ? accountOf(deployment) : null
  const release = `${folders.releases}/${posix.basename(cwd)}`
  const title = { key: 'Read destroy tasks', name: `Read ${CONFIG_FILE}` } as const
  const config = await step(title, (io) => readConfigThere(io, release, undo))
  if (config === null || config.destroy.length === 0) return nothing
  const own = config.services.filter(({ port }) => port === null)
  const ports = await step('Find ports', async () => portsByService(await context.allocatePorts(own)))
  const services = config.services.map((service) => ({ service, domain: '' }))
  const logs = logVariables(services, { deployment, folders, account })
  const environment = withLogs(environmentOf(deployment, services, ports), logs)
  return { tasks: config.destroy, cwd, environment, account }
}

/** Of one that did not come to serve the release is gone soon: it is laid out again. Null where that cannot be done any more. */
async function findRelease(
  io: StepIo,
  context: RecipeContext,
  { deployment, folders, undo }: Where & { readonly undo: Undo },
): Promise<string | null> {
  const folder = `${folders.releases}/${undo.taskId}`
  const account = await findAccount(io.host, deployment, folder)
  if (account === 'gone') {
    io.say('Its destroy tasks are not run: an earlier removal has taken their user and its files')
    return null
  }
  const { exitCode } = await io.host.run(['test', '-d', folder])
  if (exitCode === 0) return account ? accountRelease(account, undo.taskId) : folder
  try {
    await bringSource(io, context, { deployment, sha: undo.commitSha, folders })
    if (!account) return folders.release
    await giveRelease(io, { deployment, folders, services: [] })
    return accountRelease(account, deployment.taskId)
  } catch (error) {
    if (!(error instanceof SourceError) || !GONE.includes(error.code)) throw error
    io.say(`Its destroy tasks are not run, for nobody has them any more: ${error.message}`)
    return null
  }
}

/** What will not be there at the next try either. */
const GONE: readonly SourceError['code'][] = ['repository_not_found', 'branch_not_found', 'commit_not_found']

/** Null where it asks for nothing. */
async function readConfigThere({ host, say }: StepIo, release: string, undo: Undo): Promise<ManualConfig | null> {
  try {
    return (await readConfigIn(host, release)) ?? null
  } catch (error) {
    // A deployment that failed by it has run nothing.
    if (undo.isLive || !(error instanceof RepositoryConfigFault)) throw error
    say(`No destroy tasks are run: ${error.message}`)
    return null
  }
}
