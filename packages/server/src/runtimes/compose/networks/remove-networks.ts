// Takes networks away that no container of their release is in any more. Containers that have only joined them leave.
import { unneededNetworks } from '../../../domain/compose/release-networks.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { Container } from '../containers/list-containers.ts'
import type { EnvironmentNetwork } from './list-networks.ts'
import { networkScript } from './network-script.ts'

type NetworkState = {
  readonly networks: readonly EnvironmentNetwork[]
  /** All that are there, whatever they do. */
  readonly containers: readonly Container[]
  /** Those of a deployment under way have no containers yet. */
  readonly mayGo: (release: number) => boolean
}

/** Gives a sentence for each that stays. */
export async function removeNetworks(
  host: Host,
  { networks, containers, mayGo }: NetworkState,
): Promise<readonly string[]> {
  const doomed = unneededNetworks(networks, containers).filter(({ release }) => mayGo(release))
  if (doomed.length === 0) return []
  const words = doomed.flatMap(({ name }) => {
    const joined = containers.filter((container) => container.networks.includes(name))
    return [name, String(joined.length), ...joined.map(({ id }) => id)]
  })
  const printed = await askDocker(host, networkScript('remove-networks', ...words))
  return printed.split('\n').filter(Boolean)
}
