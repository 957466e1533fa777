// Chooses the commands that a deployment runs before its switch.
import { type Commands, serviceOfCommand } from '@shipway/rules/service-file/release-commands'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { VersionCommand } from '../../../runtimes/runtime.ts'

export function chooseCommands(
  { services, release = [], seed = [] }: Commands,
  { rollbackTo, hasBeenLive }: Pick<Deployment, 'rollbackTo' | 'hasBeenLive'>,
): readonly VersionCommand[] {
  const isRollback = rollbackTo !== null
  const chosen = [
    ...release.filter(({ runsOnRollback }) => runsOnRollback || !isRollback),
    // Nothing was live on any server, or a reset has removed it with its data.
    ...(hasBeenLive || isRollback ? [] : seed),
  ]
  return chosen.flatMap((command) => {
    const service = serviceOfCommand(command, services)
    const { name, run: script, timeoutMs } = command
    // The check of the compose files has refused commands without a service.
    return service === null ? [] : [{ name, script, service, timeoutMs }]
  })
}
