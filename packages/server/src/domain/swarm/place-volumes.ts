// Decides on which node each volume of an environment is, and by which name.
//
// A label of the node says so for the life of the environment, whatever becomes of the services that mount the volume. A new volume has the
// task in its name, so that no volume that stayed somewhere ever comes back with old data: only the manager in use can delete volumes.
import type { ComposeService } from '@shipway/rules/compose/model'
import type { ContainerOwner } from '../compose/project-name.ts'
import { chooseNode } from './choose-node.ts'
import { constraintsOf } from './placement.ts'
import type { VolumePlace } from './stack-input.ts'
import { nodeVolumes, pinnedTo, type VolumeInput, volumeName } from './stack-volumes.ts'
import type { SwarmNode, SwarmView } from './swarm-view.ts'

export type PlacedVolumes = {
  /** By the keys of `nodeVolumes`. */
  readonly places: ReadonlyMap<string, VolumePlace>
  /** Labels that nodes get before anything starts on them. */
  readonly labels: readonly { readonly node: string; readonly key: string; readonly value: string }[]
  readonly sentences: readonly string[]
  readonly faults: readonly string[]
}

type Placing = VolumeInput & { readonly view: SwarmView; readonly ids: ContainerOwner; readonly taskId: number }

/** Labels of nodes that begin with it say which volumes they have. */
export const VOLUME_LABELS = 'shipway.volume.'

/** Those of an environment. */
export const volumeLabels = ({ installationId, environmentId }: ContainerOwner): string =>
  `${VOLUME_LABELS}${installationId}.${environmentId}.`

export function placeVolumes(placing: Placing): PlacedVolumes {
  const groups = nodeVolumes(placing).map((group) => placeGroup([...group], placing))
  return {
    places: new Map(groups.flatMap(({ places }) => [...places])),
    labels: groups.flatMap(({ labels }) => labels),
    sentences: groups.flatMap(({ sentences }) => sentences),
    faults: groups.flatMap(({ faults }) => faults),
  }
}

function placeGroup(keys: readonly string[], placing: Placing): PlacedVolumes {
  const { view, model } = placing
  const users = [...model.services.values()].filter((service) =>
    pinnedTo(service, placing).some((key) => keys.includes(key)),
  )
  const names = users.map(({ name }) => name).join(', ')
  const known = new Map(keys.flatMap((key) => knownPlaces(key, placing).map((place) => [key, place] as const)))
  const present = new Set([...known.values()].map(({ node }) => node))
  if (present.size > 1) {
    const where = [...known].map(([key, { node }]) => `${key} on ${nameOf(view.nodes, node)}`).join(', ')
    return fault(
      `The volumes of ${names} are on different nodes, and a service runs on one: ${where}. ` +
        'Mount them in different services, or reset the environment, which deletes their data',
    )
  }
  const former = known.size === 0 ? formerNode(users, placing) : undefined
  const [node = former ?? chooseNode(view.nodes, view.tasks, users.flatMap(constraintsOf))?.id] = present
  if (node === undefined)
    return fault(`No node can have the volumes of ${names}: none that is ready and active fits deploy.placement`)
  const isNew = known.size === 0 && former === undefined
  const added = keys
    .filter((key) => !known.has(key))
    .map(
      (key) => [key, { node, name: former === undefined ? newName(key, placing) : volumeName(key, placing) }] as const,
    )
  const place = `on ${nameOf(view.nodes, node)}`
  return {
    places: new Map([...known, ...added]),
    labels: added.map(([key, { name }]) => ({ node, key: labelOf(key, placing), value: name })),
    sentences: [isNew ? `The volumes of ${names} are new, ${place}` : `The volumes of ${names} are ${place}`],
    faults: [],
  }
}

const fault = (sentence: string): PlacedVolumes => ({
  places: new Map(),
  labels: [],
  sentences: [],
  faults: [sentence],
})

const labelOf = (key: string, { ids, digest, model }: Placing): string =>
  `${volumeLabels(ids)}${digest(volumeName(key, { model })).slice(0, LABEL_HASH)}`

const LABEL_HASH = 16

function knownPlaces(key: string, placing: Placing): readonly VolumePlace[] {
  const label = labelOf(key, placing)
  return placing.view.nodes.flatMap(({ id, labels }) => {
    const name = labels[label]
    return name !== undefined && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(name) ? [{ node: id, name }] : []
  })
}

/** Earlier versions of the platform gave nodes no labels: they kept the node with the service, and gave volumes their plain names. */
function formerNode(users: readonly ComposeService[], { view, ids }: Placing): string | undefined {
  const prefix = volumeLabels(ids)
  if (view.nodes.some(({ labels }) => Object.keys(labels).some((key) => key.startsWith(prefix)))) return undefined
  const names = new Set(users.map(({ name }) => name))
  const nodes = new Set(view.nodes.map(({ id }) => id))
  return view.services.find(({ service, node }) => names.has(service) && nodes.has(node))?.node
}

/** An external volume is as it is named. */
function newName(key: string, { model, taskId }: Placing): string {
  const name = volumeName(key, { model })
  return model.volumes.get(key)?.external === true ? name : `${name}-${taskId}`
}

const nameOf = (nodes: readonly SwarmNode[], id: string): string => nodes.find((node) => node.id === id)?.name ?? id
