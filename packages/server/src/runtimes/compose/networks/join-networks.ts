// Puts running containers into the networks of a release. What is connected to them stays connected.
import { aliasWord } from '../../../commands/docker/networks.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { networkJoins } from '../../../domain/compose/network-joins.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'

/** May be repeated. */
export async function joinNetworks(host: Host, joins: ReturnType<typeof networkJoins>): Promise<void> {
  await Promise.all(
    joins.map(({ containerId, service, networks }) => {
      const words = networks.flatMap(({ name, aliases }) => [name, String(aliases.length), ...aliases.map(aliasWord)])
      return ask(host, dockerScript('connect-container', containerId, ...words), ({ stderr }) =>
        CheckFailed(`${service} cannot join the network of the new version on ${host.name}: ${lastLine(stderr)}`),
      )
    }),
  )
}
