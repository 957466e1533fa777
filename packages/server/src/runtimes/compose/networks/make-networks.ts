// Makes the networks of a release, before anything of it starts.

import type { ComposeModel } from '@shipway/rules/compose/model'
import { networkOptions } from '../../../commands/docker/networks.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import { type ReleaseNetwork, releaseNetworks } from '../../../domain/compose/release-networks.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { networkScript } from './network-script.ts'

/** May be repeated: those that are there stay as they are. */
export async function makeNetworks(
  host: Host,
  { ids, taskId }: Pick<Deployment, 'ids' | 'taskId'>,
  model: ComposeModel,
): Promise<readonly ReleaseNetwork[]> {
  const networks = releaseNetworks(model, taskId)
  if (networks.length === 0) return networks
  const owner = [ids.installationId, String(ids.environmentId), composeProjectName(ids), String(taskId)]
  const words = networks.flatMap((network) => {
    const options = networkOptions(network)
    return [network.key, network.name, String(options.length), ...options]
  })
  await ask(host, networkScript('make-networks', ...owner, ...words), ({ stderr }) => CheckFailed(whyNot(host, stderr)))
  return networks
}

/** Docker has no code for it, and other words in each version. */
const NO_RANGE = /address pool|predefined .*pools|fully subnetted/i

function whyNot(host: Host, said: string): string {
  if (!NO_RANGE.test(said)) return `A network cannot be made on ${host.name}: ${lastLine(said)}`
  return (
    `Docker on ${host.name} has no range of addresses left for another network, and each deployment needs one until the old version is ` +
    'gone. Remove environments that are not needed, or give Docker more ranges: "default-address-pools" in /etc/docker/daemon.json'
  )
}
