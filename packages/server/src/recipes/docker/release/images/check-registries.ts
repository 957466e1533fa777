// Checks where registries lead as the server resolves them: Docker pulls from there in the network of the server.
import { mayConnectTo } from '@shipway/api/values/ip-address'
import { mayReachHost } from '@shipway/api/values/reachable-host'
import { dockerScript } from '../../../../commands/docker/script.ts'
import type { Deployment } from '../../../../deployment/deployment.ts'
import { hostOf, isRegistryName } from '../../../../domain/compose/registries.ts'
import { CheckFailed } from '../../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../../remote/host.ts'

export type CheckedRegistries = {
  readonly allowed: readonly string[]
  /** Each with the reason, as the end of a sentence. */
  readonly refused: ReadonlyMap<string, string>
}

/**
 * A registry that an administrator of the server has signed in to there is allowed wherever it leads. What the settings of the platform
 * allow does not count: its own networks are others, and its loopback is another machine's.
 */
export async function checkRegistries(
  host: Host,
  registries: readonly string[],
  { grants }: Pick<Deployment, 'grants'>,
): Promise<CheckedRegistries> {
  if (registries.length === 0 || grants.has('private_registries')) return { allowed: registries, refused: new Map() }
  const known = registries.filter(isRegistryName)
  const found = known.length === 0 ? [] : await lookUp(host, known)
  const faults = registries.map((registry) => {
    const at = known.indexOf(registry)
    return [
      registry,
      at < 0 ? 'is not written as a name or an IPv4 address' : faultOf(registry, found[at] ?? ''),
    ] as const
  })
  return {
    allowed: faults.flatMap(([registry, fault]) => (fault === null ? [registry] : [])),
    refused: new Map(faults.flatMap(([registry, fault]) => (fault === null ? [] : [[registry, fault]]))),
  }
}

export const refusedRegistry = (what: string, registry: string, fault: string): string =>
  `${what} from the registry ${registry}, which ${fault}. Docker would pull it in the network of the server. ` +
  'Use a public registry, or let an administrator of the server sign in to this one there (`docker login` as the user of the platform). ' +
  'An organization owner can grant "private_registries" to this environment'

async function lookUp(host: Host, registries: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stdout } = await host.run(dockerScript('resolve-registries', ...registries))
  if (exitCode !== 0) {
    throw CheckFailed(`${host.name} cannot look up where registries lead: getent is missing there. Install it`)
  }
  return stdout.toString().split('\n')
}

/** Allows a registry without an address: the pull reports it better, and an image that the server has needs none. */
function faultOf(registry: string, found: string): string | null {
  const name = hostOf(registry)
  if (found === 'named') return null
  if (found === 'timeout') return 'no name server of the server tells the address of'
  const inside = found.split(' ').find((address) => address !== '' && !mayConnectTo(address, []))
  if (inside !== undefined) return `leads to ${inside}, an address that is not public`
  return mayReachHost(name, []) ? null : 'is named as only a private network names its machines'
}
