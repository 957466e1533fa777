// Mounts inside other mounts that are read-only. Docker cannot create their mount points there, so the platform does it first.
import { posix } from 'node:path'
import type { ComposeModel, ComposeService } from '@shipway/rules/compose/model'
import { type Checkout, isInCheckout, liesIn } from '@shipway/rules/compose/mounts/checkout-path'
import { folderOf } from '@shipway/rules/compose/mounts/persistent-folders'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'

export type MountPoint = {
  /** Absolute, in the release; or relative to a persistent folder. */
  readonly path: string
  /** The persistent folder. */
  readonly within: { readonly folder: string; readonly key: string; readonly name: string } | null
  /** What is mounted there, where that may be a file; null: a folder. */
  readonly source: string | null
}

/** `imageVolumes`: the paths that a service's image declares as volumes. */
export function mountPoints(
  model: ComposeModel,
  {
    checkout,
    imageVolumes,
  }: { readonly checkout: Checkout; readonly imageVolumes: ReadonlyMap<string, readonly string[]> },
): MountPoint[] {
  const found = [...model.services.values()].flatMap((service) => {
    const targets = targetsOf(model, service, imageVolumes.get(service.name) ?? [])
    return targets.flatMap(({ target, source }) => mountPointOf(model, service, { target, source, checkout }))
  })
  return [...new Map(found.map((point) => [JSON.stringify(point), point])).values()]
}

type MountTarget = { readonly target: string; readonly source: string | null }

function targetsOf(model: ComposeModel, service: ComposeService, declared: readonly string[]): MountTarget[] {
  const { tmpfs, secrets, configs } = service.definition
  const mounted = service.mounts.flatMap(({ type, source, target }) =>
    target === null ? [] : [{ target, source: type === 'bind' ? source : null }],
  )
  const files = [...filesOf(secrets, model.secrets), ...filesOf(configs, model.configs)]
  const folders = [...listOf(tmpfs).map((entry) => String(entry).split(':', 1)[0] ?? ''), ...declared]
  return [...mounted, ...files, ...folders.map((target) => ({ target, source: null }))]
}

/** Those that Compose mounts; others it puts in once the container is there. */
function filesOf(list: unknown, declared: ComposeModel['secrets']): MountTarget[] {
  return listOf(list).flatMap((entry) => {
    const { source, target } = objectOf(entry)
    const file = declared.get(String(source))?.file
    return typeof file === 'string' && typeof target === 'string' ? [{ target, source: file }] : []
  })
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function mountPointOf(
  { volumes }: ComposeModel,
  { mounts }: ComposeService,
  { target, source, checkout }: MountTarget & { readonly checkout: Checkout },
): MountPoint[] {
  const around = mounts
    .filter((mount) => mount.target !== null && liesIn(target, mount.target))
    .toSorted((a, b) => String(b.target).length - String(a.target).length)[0]
  if (!around?.isReadOnly || around.source === null || around.target === null) return []
  const inner = posix.relative(posix.normalize(around.target), posix.normalize(target))
  if (around.type === 'bind') {
    const path = posix.join(around.source, inner)
    return isInCheckout(path, checkout) ? [{ path, within: null, source }] : []
  }
  const volume = volumes.get(around.source)
  const folder = around.type === 'volume' ? folderOf(volume) : null
  const within = { key: around.source, name: String(volume?.name) }
  return folder === null ? [] : [{ path: inner, within: { ...within, folder }, source: null }]
}
