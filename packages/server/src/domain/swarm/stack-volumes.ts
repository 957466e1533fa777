// Volumes of a stack. One of the usual driver is on one node alone, so all services that mount it run there.
import type { ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { FOLDER_LABEL, folderOf, withoutFolderKey } from '@shipway/rules/compose/mounts/persistent-folders'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { isNetworked } from '@shipway/rules/compose/swarm/networked-volumes'
import { parseTmpfs } from '@shipway/rules/compose/swarm/tmpfs'
import { idLabels } from '../compose/override-for.ts'
import type { StackInput } from './stack-input.ts'

export type VolumeInput = Pick<StackInput, 'model' | 'imageVolumes' | 'digest'>

/**
 * Volumes that are on one node each, by key, in groups: a group is on one node, since a service mounts volumes of it together, directly or
 * through others.
 */
export function nodeVolumes(input: VolumeInput): readonly ReadonlySet<string>[] {
  const groups: Set<string>[] = []
  for (const service of input.model.services.values()) {
    const keys = pinnedTo(service, input)
    if (keys.length === 0) continue
    const met = groups.filter((group) => keys.some((key) => group.has(key)))
    for (const group of met) groups.splice(groups.indexOf(group), 1)
    groups.push(new Set([...met.flatMap((group) => [...group]), ...keys]))
  }
  return groups
}

/** The keys of the volumes that decide on which node a service runs. */
export function pinnedTo(service: ComposeService, input: VolumeInput): readonly string[] {
  const mounted = service.mounts.flatMap(({ type, source }) =>
    type === 'volume' && source !== null && !isNetworked(input.model.volumes.get(source)) ? [source] : [],
  )
  return [...new Set([...mounted, ...imageVolumesOf(service, input).map(({ key }) => key)])]
}

/** Its name where no node has given it another. */
export function volumeName(key: string, { model }: Pick<StackInput, 'model'>): string {
  return String(model.volumes.get(key)?.name ?? `${model.name}_${key}`)
}

export type StackMounts = {
  readonly mounts: readonly JsonObject[]
  readonly definitions: JsonObject
}

/** Everything that a service mounts but files. */
export function stackMounts(service: ComposeService, input: StackInput): StackMounts {
  const { definition } = service
  const listed = (Array.isArray(definition.volumes) ? definition.volumes : []).map(objectOf)
  const volumes = listed.filter(({ type }) => type === 'volume').map(volumeMount)
  const ofImage = imageVolumesOf(service, input).map(({ key, path }) => ({ type: 'volume', source: key, target: path }))
  const short = Array.isArray(definition.tmpfs) ? definition.tmpfs : [definition.tmpfs ?? []].flat()
  const inMemory = [
    ...listed
      .filter(({ type }) => type === 'tmpfs')
      .map(({ target, tmpfs }) => memoryMount(target, Number(objectOf(tmpfs).size ?? 0))),
    ...short.map((text) => {
      const { target, sizeBytes } = parseTmpfs(String(text))
      return memoryMount(target, sizeBytes ?? 0)
    }),
    // A Swarm sets no size of the shared memory otherwise.
    ...(definition.shm_size === undefined || definition.shm_size === null
      ? []
      : [memoryMount('/dev/shm', Number(definition.shm_size))]),
  ]
  const mounts = [...volumes, ...ofImage, ...inMemory]
  const used = new Set(mounts.flatMap(({ source }) => (typeof source === 'string' ? [source] : [])))
  return { mounts, definitions: Object.fromEntries([...used].map((key) => [key, volumeDefinition(key, input)])) }
}

function volumeMount({ source, target, read_only: isReadOnly, volume }: JsonObject): JsonObject {
  const { nocopy } = objectOf(volume)
  return {
    type: 'volume',
    ...(source === undefined || source === null ? {} : { source }),
    target,
    ...(isReadOnly === true ? { read_only: true } : {}),
    ...(nocopy === true ? { volume: { nocopy: true } } : {}),
  }
}

const memoryMount = (target: unknown, size: number): JsonObject => ({
  type: 'tmpfs',
  target,
  ...(size > 0 ? { tmpfs: { size } } : {}),
})

/** Docker would give a new one to each container, and remove it with the container. */
function imageVolumesOf({ name, mounts }: ComposeService, { imageVolumes, digest }: Omit<VolumeInput, 'model'>) {
  const targets = new Set(mounts.map(({ target }) => target))
  return (imageVolumes.get(name) ?? [])
    .filter((path) => !targets.has(path))
    .map((path) => ({ path, key: `image-${digest(`${name}:${path}`).slice(0, 16)}` }))
}

function volumeDefinition(key: string, input: StackInput): JsonObject {
  const volume = input.model.volumes.get(key) ?? {}
  const name = input.volumes.get(key)?.name ?? volumeName(key, input)
  if (volume.external === true) return { external: true, name }
  const { driver, driver_opts: options } = withoutFolderKey(volume)
  const folder = folderOf(volume)
  return {
    name,
    ...(driver === undefined ? {} : { driver }),
    ...(options === undefined ? {} : { driver_opts: options }),
    labels: {
      ...objectOf(volume.labels),
      ...(folder === null ? {} : { [FOLDER_LABEL]: folder }),
      ...idLabels(input.ids),
    },
  }
}
