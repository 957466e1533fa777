// The overlay networks of an environment. Each network of the compose file is two: one of the release, where every service has its names, and
// one that outlives releases, where services that all releases share have theirs.
import { MTU } from '@shipway/rules/compose/adapt/release-network'
import type { ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { idLabels } from '../compose/override-for.ts'
import { releaseNetworks } from '../compose/release-networks.ts'
import { isShared, type StackInput } from './stack-input.ts'

export type StackNetwork = {
  /** In the stack document. */
  readonly key: string
  /** In the compose file. */
  readonly of: string
  readonly type: 'shared' | 'release' | 'external'
  /** In the Swarm. */
  readonly name: string
  readonly definition: JsonObject
}

type NetworkInput = Pick<StackInput, 'model' | 'plan' | 'ids' | 'taskId'>

export function stackNetworks(input: NetworkInput): readonly StackNetwork[] {
  const { model, taskId } = input
  const releases = new Map(releaseNetworks(model, taskId).map((network) => [network.key, network]))
  const withShared = networksOfShared(input)
  return [...model.networks].flatMap(([of, definition]): StackNetwork[] => {
    const name = String(definition.name ?? `${model.name}_${of}`)
    const release = releases.get(of)
    if (!release) return [{ key: of, of, type: 'external', name, definition: { external: true, name } }]
    const own = { key: `release_${of}`, of, type: 'release', name: release.name } as const
    const shared = { key: `shared_${of}`, of, type: 'shared', name } as const
    return [own, ...(withShared.has(of) ? [shared] : [])].map((network) => ({
      ...network,
      definition: {
        name: network.name,
        driver: 'overlay',
        ...(release.isInternal ? { internal: true } : {}),
        ...(release.mtu === null ? {} : { driver_opts: { [MTU]: release.mtu } }),
        labels: {
          ...labelsOf(definition),
          ...idLabels(input.ids),
          ...(network.type === 'release' ? { 'shipway.task': String(taskId) } : {}),
        },
      },
    }))
  })
}

/** In which of them a service is, with its names. */
export function networksOf(
  service: ComposeService,
  { networks, input, isInRelease }: { networks: readonly StackNetwork[]; input: NetworkInput; isInRelease: boolean },
): JsonObject {
  const own = objectOf(service.definition.networks)
  const usesRelease = isInRelease || needsRelease(service, input)
  const joined = networks.flatMap(({ key, of, type }) => {
    if (!Object.hasOwn(own, of) || (type === 'release' && !usesRelease)) return []
    const { aliases } = objectOf(own[of])
    const names = [...new Set([service.name, ...(Array.isArray(aliases) ? aliases.map(String) : [])])]
    // A new version beside the old one must not answer to the same names.
    return [[key, type === 'shared' && isInRelease ? {} : { aliases: names }] as const]
  })
  return Object.fromEntries(joined)
}

/** It is updated with each release then, since what it depends on is replaced. */
function needsRelease({ dependsOn }: ComposeService, { plan }: NetworkInput): boolean {
  return plan.services.some((needed) => dependsOn.has(needed.name) && !isShared(needed) && needed.mode !== 'one_shot')
}

function networksOfShared({ model, plan }: NetworkInput): ReadonlySet<string> {
  const shared = plan.services.filter(isShared)
  return new Set(shared.flatMap(({ name }) => Object.keys(objectOf(model.services.get(name)?.definition.networks))))
}

const labelsOf = ({ labels }: JsonObject): JsonObject => objectOf(labels)
