// Adapts networks and volumes: names them after the environment's compose project, so that no two environments share one.
import type { RuntimeName } from '@shipway/api/values/runtime'
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { ComposeModel, JsonObject } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import type { Note } from './note.ts'
import { isReleaseNetwork } from './release-network.ts'

type Resources = { readonly definitions: readonly (readonly [string, JsonObject])[]; readonly notes: readonly Note[] }

type Changed = { readonly definition: JsonObject; readonly notes: readonly Note[] }

/** `moved`: networks whose addresses Docker chooses, though the file chose a range. `shared`: those that all releases are in. */
export function adaptNetworks(
  { name: project, networks }: ComposeModel,
  { grants, runtime }: { readonly grants: ReadonlySet<Capability>; readonly runtime: RuntimeName },
): Resources & { readonly moved: ReadonlySet<string>; readonly shared: ReadonlySet<string> } {
  const changed = [...networks].map(([name, definition]) => {
    const key = within('networks', name)
    if (definition.external === true && grants.has('external_networks')) return { name, definition, notes: [] }
    const own = ownName(definition, { name, project, key, isGranted: grants.has('external_networks') })
    const bridged = onBridge(own.definition, { key, grants, runtime })
    return { name, definition: bridged.definition, notes: [...own.notes, ...bridged.notes] }
  })
  const moved = changed.filter(({ name, definition }) => networks.get(name)?.ipam !== definition.ipam)
  const shared = changed.filter(({ definition }) => !isReleaseNetwork(definition))
  return { ...listed(changed), moved: namesOf(moved), shared: namesOf(shared) }
}

const namesOf = (all: readonly { readonly name: string }[]): ReadonlySet<string> => new Set(all.map(({ name }) => name))

/** An external volume may contain someone else's data. It is kept as it is, and the policy refuses it. */
export function adaptVolumes({ name: project, volumes }: ComposeModel, grants: ReadonlySet<Capability>): Resources {
  const changed = [...volumes].map(([name, definition]) => {
    if (definition.external === true) return { name, definition, notes: [] }
    const context = { name, project, key: within('volumes', name), isGranted: grants.has('external_volumes') }
    return { name, ...ownName(definition, context) }
  })
  return listed(changed)
}

const listed = (changed: readonly (Changed & { readonly name: string })[]): Resources => ({
  definitions: changed.map(({ name, definition }) => [name, definition]),
  notes: changed.flatMap(({ notes }) => notes),
})

type Naming = {
  readonly name: string
  readonly project: string
  readonly key: string
  /** An owner lets the environment use foreign resources by name. */
  readonly isGranted: boolean
}

function ownName(definition: JsonObject, { name, project, key, isGranted }: Naming): Changed {
  const { external, name: given, ...others } = definition
  const own = `${project}_${name}`
  if (external === true) {
    const sentence = `${key}: an external network is one of the environment's own here, which nothing else is in`
    return { definition: { name: own, ...others }, notes: [{ key, sentence }] }
  }
  const isOwn = !isSet(given) || (typeof given === 'string' && given.startsWith(`${project}_`))
  if (isOwn || isGranted) return { definition, notes: [] }
  const sentence = `${key}: the name is left out, since each environment has its own`
  return { definition: { name: own, ...others }, notes: [{ key: `${key}.name`, sentence }] }
}

type Bridging = { readonly key: string; readonly grants: ReadonlySet<Capability>; readonly runtime: RuntimeName }

/**
 * A fixed address range may already belong to another environment, and the next release needs a second network. An overlay network needs a
 * cluster: on a Swarm every network is one.
 */
function onBridge(definition: JsonObject, { key, grants, runtime }: Bridging): Changed {
  if (grants.has('host_network') && !isReleaseNetwork(definition)) return { definition, notes: [] }
  const { ipam, driver, ...others } = definition
  const hasRange = isSet(objectOf(ipam).config)
  const isOverlay = driver === 'overlay'
  return {
    definition: {
      ...others,
      ...(driver === undefined || isOverlay ? {} : { driver }),
      ...(ipam === undefined || hasRange ? {} : { ipam }),
    },
    notes: [
      ...(hasRange ? [{ key: `${key}.ipam`, sentence: `${key}: Docker chooses the addresses, ipam is left out` }] : []),
      ...(isOverlay && !hasNodes[runtime]
        ? [{ key: `${key}.driver`, sentence: `${key}: is a network of one server, since there is no cluster` }]
        : []),
    ],
  }
}
