// Finds the release folder in which an action or a one-off command runs.
import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { accountRelease } from '../../remote/accounts/account.ts'
import type { ReleaseTarget } from '../actions/action-run.ts'
import { findAccount } from './command-account.ts'

type InServingRelease = { readonly deployment: Deployment; readonly servingTaskId: number }

export async function findRelease(
  { host, say }: StepIo,
  what: InServingRelease,
  folders: Folders,
): Promise<ReleaseTarget> {
  const folder = `${folders.releases}/${what.servingTaskId}`
  const { exitCode } = await host.run(['test', '-d', folder])
  if (exitCode !== 0)
    throw CheckFailed('The folder of the release is not on the server any more. Deploy again, and start it then')
  const account = await findAccount(host, what.deployment, folder)
  if (account === 'gone')
    throw CheckFailed('The user of the environment was removed with its files. Deploy again, and start it then')
  const target = account
    ? { folder: accountRelease(account, what.servingTaskId), configFolder: folder, account }
    : { folder }
  say(`In ${target.folder}`)
  return { type: 'release', ...target }
}
