// Refuses mounts from inside folders that containers can write to. Runs after the mounts are resolved.
import { posix } from 'node:path'
import type { ComposeModel, JsonObject, Refusal } from '../model.ts'
import { refusal, within } from '../policy/refusal.ts'
import { isTooLong } from './checkout-path.ts'

/**
 * A container that can write to a folder can replace anything inside with a link. A mount from there would lead anywhere on the machine
 * when its container restarts.
 */
export function checkNestedMounts({ services, secrets, configs }: ComposeModel): Refusal[] {
  const binds = [...services.values()].flatMap((service) =>
    service.mounts.flatMap(({ type, source, isReadOnly }, index) =>
      type === 'bind' && source !== null
        ? [{ key: within(within(within('services', service.name), 'volumes'), index), source, isReadOnly }]
        : [],
    ),
  )
  const files = [...fileSources('secrets', secrets), ...fileSources('configs', configs)]
  const writable = new Map(
    binds.filter(({ isReadOnly }) => !isReadOnly).map(({ key, source }) => [posix.resolve(source), key]),
  )
  return [...binds, ...files].flatMap(({ key, source }) => {
    const folder = foldersAbove(source).find((above) => above !== posix.resolve(source) && writable.has(above))
    if (folder === undefined) return []
    const writer = writable.get(folder)
    const what = `mounts something out of a folder that ${writer} lets a container write to`
    return [refusal(key, { what, advice: `Make ${writer} read-only` })]
  })
}

/** Empty for an impossible path, which the policy refuses. */
function foldersAbove(path: string): string[] {
  if (isTooLong(path)) return []
  const segments = posix.resolve(path).split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/') || '/')
}

function fileSources(section: string, definitions: ReadonlyMap<string, JsonObject>): { key: string; source: string }[] {
  return [...definitions].flatMap(([name, { file }]) =>
    typeof file === 'string' ? [{ key: within(within(section, name), 'file'), source: file }] : [],
  )
}
