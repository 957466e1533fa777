// The user that runs commands of the manual recipe: the environment's own where the server supports it, else the platform's.

import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import type { Account } from '../../remote/accounts/account.ts'
import { handOver, queryAccount, removeAccount } from '../../remote/accounts/account-scripts.ts'
import { ask } from '../../remote/ask.ts'
import type { Host } from '../../remote/host.ts'
import { lastLine } from '../../remote/last-line.ts'

const timeoutMs = 5 * 60_000

export const accountOf = ({ ids }: Pick<Deployment, 'ids'>): Account => ({
  installationId: ids.installationId,
  environmentId: ids.environmentId,
})

type Release = {
  readonly deployment: Deployment
  readonly folders: Folders
  readonly services: readonly string[]
}

/** Gives the release to the environment's user. Returns null, and says so in the output, where the platform's user runs the commands. */
export async function giveRelease(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  { deployment, folders, services }: Release,
): Promise<Account | null> {
  const account = accountOf(deployment)
  const { live, undo, taskId } = deployment
  const liveTaskId = live && undo?.recipe === 'manual' ? live.taskId : null
  const command = handOver({ account, folder: folders.server, taskId, liveTaskId, services })
  const { exitCode, stdout, stderr } = await host.run(command, { timeoutMs })
  if (exitCode !== 0)
    throw new StepFault('command', `The release cannot be given to the user of the environment: ${lastLine(stderr)}`, {
      exitCode,
    })
  const said = stdout.toString().trim().split('\n').at(-1)
  if (said === 'own') return account
  say(said === 'earlier' ? EARLIER : MISSING)
  return null
}

const EARLIER =
  "Commands run as the platform's user, who started what serves. Reset the environment to give it a user of its own"
const MISSING =
  "Commands run as the platform's user, since this server has no users for environments. The check of the server says more"

/**
 * The account that runs the commands of an earlier release; `gone` if an unfinished removal has deleted it. If the server cannot tell,
 * no command gets the platform's rights.
 */
export async function findAccount(
  host: Host,
  deployment: Pick<Deployment, 'ids'>,
  release: string,
): Promise<Account | null | 'gone'> {
  const account = accountOf(deployment)
  const said = await ask(host, queryAccount(account, release), 'The user of the environment cannot be looked for')
  if (said.trim() === 'gone') return 'gone'
  return said.trim() === 'own' ? account : null
}

/** Removes the user with its processes and files. Returns the reason where that fails. */
export async function removeOwnUser(host: Host, deployment: Pick<Deployment, 'ids'>): Promise<string | undefined> {
  const { exitCode, stderr } = await host.run(removeAccount(accountOf(deployment)), { timeoutMs })
  return exitCode === 0 ? undefined : lastLine(stderr)
}
