// The destroy tasks of a release: what its repository wants done before the environment is removed.
import { posix } from 'node:path'
import { type ManualConfig, RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { DoStep, DurableWork, StepIo } from '../../deployment/run.ts'
import { type Account, accountFolder, accountRelease } from '../../remote/accounts/account.ts'
import { SourceError } from '../../source/source-error.ts'
import { CONFIG_FILE } from '../prepare/prepare.ts'
import { bringSource } from '../prepare/transfer.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { accountOf, findAccount, giveRelease } from './command-account.ts'
import { environmentOf, withLogs } from './deploy.ts'
import { portsByService } from './provide-ports.ts'
import { readConfigIn } from './read-config-in.ts'
import { logVariables } from './service-logs.ts'

export type DestroyTasks = {
  readonly tasks: ManualConfig['destroy']
  /** Where they run. */
  readonly cwd: string
  readonly environment: DurableWork['environment']
  readonly account: Account | null
}

export const NO_DESTROY_TASKS: DestroyTasks = { tasks: [], cwd: '', environment: new Map(), account: null }

export type ReleaseToUndo = RemovalScope & { readonly undo: Undo }
type RemovalScope = { readonly deployment: Deployment; readonly folders: Folders }
type Undo = NonNullable<Deployment['undo']>

export async function readDestroyTasks(
  step: DoStep,
  context: RecipeContext,
  { deployment, folders, undo }: ReleaseToUndo,
): Promise<DestroyTasks> {
  const cwd = await step('Find the release', (io) => findRelease(io, context, { deployment, folders, undo }))
  if (cwd === null) return NO_DESTROY_TASKS
  const account = cwd.startsWith(`${accountFolder(accountOf(deployment))}/`) ? accountOf(deployment) : null
  const release = `${folders.releases}/${posix.basename(cwd)}`
  const title = { key: 'Read destroy tasks', name: `Read ${CONFIG_FILE}` } as const
  const config = await step(title, (io) => readConfigThere(io, release, undo))
  if (config === null || config.destroy.length === 0) return NO_DESTROY_TASKS
  const own = config.services.filter(({ port }) => port === null)
  const ports = await step('Find ports', async () => portsByService(await context.allocatePorts(own)))
  const services = config.services.map((service) => ({ service, domain: '' }))
  const logs = logVariables(services, { deployment, folders, account })
  const environment = withLogs(environmentOf(deployment, services, ports), logs)
  return { tasks: config.destroy, cwd, environment, account }
}

/** The release of a deployment that never served is removed soon, so it is checked out again. Null where that is no longer possible. */
async function findRelease(
  io: StepIo,
  context: RecipeContext,
  { deployment, folders, undo }: ReleaseToUndo,
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
    io.say(`Its destroy tasks cannot be run, because they are no longer available: ${error.message}`)
    return null
  }
}

/** What a retry will not find either. */
const GONE: readonly SourceError['code'][] = ['repository_not_found', 'branch_not_found', 'commit_not_found']

/** Null where it names no tasks. */
async function readConfigThere({ host, say }: StepIo, release: string, undo: Undo): Promise<ManualConfig | null> {
  try {
    return (await readConfigIn(host, release, undo.serviceFile)) ?? null
  } catch (error) {
    // A deployment that failed because of this file has run nothing.
    if (undo.isLive || !(error instanceof RepositoryConfigFault)) throw error
    say(`No destroy tasks are run: ${error.message}`)
    return null
  }
}
