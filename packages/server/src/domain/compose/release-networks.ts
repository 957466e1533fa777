// The networks of a release. Its containers are in networks of their own, so that a name leads to one version: to what the release has
// started, and to the services that did not change, which join.
//
// A container never leaves the networks that it was started in. Docker publishes its port through the first of its networks by name, and to
// leave that one would cut off requests; so a network goes when the last container has gone that was started in it. Names of networks are
// in the order of the releases, and those without a release come before them: `_` is less than a letter.
//
// Inside an environment a name leads to one version. Each release has networks of its own; only its containers and the unchanged ones are in
// them. A container never leaves a network that it was started in: Docker publishes a port through the first network by name, and leaving that
// cuts requests off (measured). So names of networks sort by release, a network is removed with the last container of its release, and
// services restart before an environment keeps networks of more than two earlier releases.
import { isReleaseNetwork, MTU } from '@shipway/rules/compose/adapt/release-network'
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

export type ReleaseNetwork = {
  /** By which the compose file knows it. */
  readonly key: string
  readonly name: string
  readonly isInternal: boolean
  readonly isAttachable: boolean
  readonly hasIpv6: boolean
  readonly mtu: string | null
}

/** Those that a release has its own of; the others are Compose's to make. */
export function releaseNetworks({ name: project, networks }: ComposeModel, taskId: number): readonly ReleaseNetwork[] {
  return [...networks]
    .filter(([, definition]) => isReleaseNetwork(definition))
    .map(([key, definition]) => ({
      key,
      name: `${project}r${String(taskId).padStart(DIGITS, '0')}_${key}`,
      isInternal: definition.internal === true,
      isAttachable: definition.attachable === true,
      hasIpv6: definition.enable_ipv6 === true,
      mtu: mtuOf(definition),
    }))
}

/** So that names are in the order of the numbers. */
const DIGITS = 10

function mtuOf({ driver_opts: options }: JsonObject): string | null {
  const mtu = objectOf(options)[MTU]
  return mtu === undefined || mtu === null ? null : String(mtu)
}

/** By which the compose file of its release knew a network of the environment; undefined for a network of another environment. */
export function networkKey(name: string, project: string): string | undefined {
  if (!name.startsWith(project)) return undefined
  return /^(?:r\d+)?_(.+)$/s.exec(name.slice(project.length))?.[1]
}

/**
 * Whether a release may lose its networks while something that served waits to be brought back. That one needs those that it was in; what
 * came after the deployment that serves did not come to serve.
 */
export const isAfterServing = (release: number, servingTaskId: number | null): boolean => release > (servingTaskId ?? 0)

type Container = { readonly release: number; readonly networks: readonly string[] }
type Network = { readonly name: string; readonly release: number; readonly driver: string }

/**
 * Those that no container of their release is in any more. Networks of the time before releases had any, and those that all versions
 * share, are needed by whatever is in them.
 */
export function unneededNetworks<N extends Network>(networks: readonly N[], containers: readonly Container[]): N[] {
  const releases = new Set(containers.map(({ release }) => release))
  const used = new Set(containers.flatMap((container) => container.networks))
  return networks.filter(({ name, release, driver }) =>
    release > 0 ? !releases.has(release) : driver === 'bridge' && !used.has(name),
  )
}
