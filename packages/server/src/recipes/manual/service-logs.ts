// A file for each service of the manual recipe to print to. Each deployment has its own, so that what the one before still prints is not
// lost; the files of earlier ones are kept like the output of containers.

import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import type { NamedService } from '../../domain/service-domains.ts'
import { type Account, accountOutput } from '../../remote/accounts/account.ts'
import { CommandStopped } from '../../remote/host.ts'
import { lastLine } from '../../remote/last-line.ts'
import { keepFiles } from '../../remote/output/output-scripts.ts'
import { inVariable } from './provide-ports.ts'

type Logs = {
  readonly deployment: Deployment
  readonly folders: Folders
  /** Who writes them, where that is not the platform's user. */
  readonly account: Account | null
}

/** `SERVICE_LOG` for the main service, `SERVICE_LOG_{SERVICE}` for each. */
export function logVariables(
  services: readonly Pick<NamedService, 'service'>[],
  { deployment: { taskId }, folders, account }: Logs,
): [string, string][] {
  const folder = account ? accountOutput(account) : folders.output
  return services.flatMap(({ service: { name, isMain } }): [string, string][] => {
    const file = `${folder}/${taskId}.${name}.log`
    const named: [string, string] = [`SERVICE_LOG_${inVariable(name)}`, file]
    return isMain ? [['SERVICE_LOG', file], named] : [named]
  })
}

export async function makeLogFolder({ host }: Pick<StepIo, 'host'>, { output }: Folders): Promise<void> {
  await host.run(['mkdir', '-p', '-m', '0700', '--', output])
}

/** Returns a sentence for each service whose output is not kept whole. */
export async function keepLogs(
  { host }: Pick<StepIo, 'host'>,
  { deployment: { keptOutput, taskId }, folders, account }: Logs,
): Promise<readonly string[]> {
  try {
    const { exitCode, stdout, stderr } = await host.run(keepFiles(folders.output, keptOutput, { taskId, account }))
    const notes = stdout.toString().split('\n').filter(Boolean)
    return exitCode === 0
      ? notes
      : [...notes, `What earlier releases have printed could not be kept: ${lastLine(stderr)}`]
  } catch (error) {
    if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
    return ['What earlier releases have printed is not kept yet: reading it took too long']
  }
}
