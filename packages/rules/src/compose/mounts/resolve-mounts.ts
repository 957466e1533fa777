// Resolves the mounts of repository paths.
//
// A path in the commit belongs to the release and is read-only, unless the file says `rw`. A path that is missing or an empty folder is meant
// for data: it becomes a persistent folder of the environment. A mounted folder also shows the persistent folders inside it, as if all were
// plain folders.
//
// Paths that the commit has are mounted read-only unless the file says `rw`. Paths that it lacks, or has as an empty folder, are persistent
// folders: a volume named after the path, so that Docker fills it from the image with the image's owner and no link in it can lead out.
import { posix } from 'node:path'
import type { Note } from '../adapt/note.ts'
import type { ComposeModel, ComposeService, JsonObject } from '../model.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { composeDocument, composeModel } from '../read-compose-model.ts'
import { liesIn } from './checkout-path.ts'
import { type ExplicitWrite, writesOf } from './explicit-writes.ts'
import { type MountDecision, notesOn } from './mount-notes.ts'
import {
  foldersWithin,
  type PersistentFolder,
  persistentFolder,
  volumeOf,
  withoutFolderKey,
} from './persistent-folders.ts'

/** `empty`: a folder that contains only placeholders (`.gitkeep`, `.keep`, `.gitignore`). */
export type SourceKind = 'absent' | 'empty' | 'file' | 'folder'

export type MountOptions = {
  /** The folder of the checkout on the server, absolute. */
  readonly checkout: string
  /** What the commit has at each path that is mounted, and at those of `known`; paths are relative to the checkout. */
  readonly sources: ReadonlyMap<string, SourceKind>
  readonly writes: readonly ExplicitWrite[]
  /** The persistent folders that the environment has from earlier deployments. */
  readonly known: readonly string[]
  /** SHA-256 as hexadecimal. */
  readonly digest: (text: string) => string
}

/** The model to run, and a note for each change. */
export function resolveMounts(
  model: ComposeModel,
  placing: MountOptions,
): { readonly model: ComposeModel; readonly notes: readonly Note[] } {
  const folders = [...placing.sources]
    .filter(([path, kind]) => isForData(kind) && path !== '')
    .map(([path]) => persistentFolder(path, placing.digest))
  const isWritten = writesOf(placing.writes)
  const services = [...model.services.values()].map((service) => ({
    service,
    mounts: withFolders(
      mountsOf(service).map((mount, index) => ({
        index,
        ...decideMount(service.name, mount, { ...placing, isWritten }),
      })),
      folders,
    ),
  }))
  const document = composeDocument(model)
  const own = new Map(folders.map((folder) => [folder.key, volumeOf(folder, model.name)]))
  const mounted = new Set(services.flatMap(({ mounts }) => mounts.map(({ definition }) => definition.source)))
  return {
    model: composeModel({
      ...document,
      services: Object.fromEntries(services.map(({ service, mounts }) => [service.name, withMounts(service, mounts)])),
      volumes: Object.fromEntries([
        ...[...model.volumes].map(([key, volume]) => [key, withoutFolderKey(volume)] as const),
        ...[...own].filter(([key]) => mounted.has(key)),
      ]),
    }),
    notes: notesOn(
      services.flatMap(({ mounts }) => mounts),
      placing.known,
    ),
  }
}

/** Paths of the checkout that services mount, relative to it. */
export function mountedPaths({ services }: ComposeModel, checkout: string): string[] {
  const binds = [...services.values()].flatMap(({ mounts }) =>
    mounts.flatMap(({ type, source }) => (type === 'bind' && source !== null ? [source] : [])),
  )
  return [...new Set(binds.flatMap((source) => relativeTo(checkout, source) ?? []))]
}

const isForData = (kind: SourceKind): boolean => kind === 'absent' || kind === 'empty'

function relativeTo(checkout: string, source: string): string | undefined {
  const relative = posix.relative(posix.normalize(checkout), posix.normalize(source))
  return relative === '' || liesIn(source, checkout) ? relative : undefined
}

const mountsOf = ({ definition: { volumes } }: ComposeService): JsonObject[] =>
  (Array.isArray(volumes) ? volumes : []).map(objectOf)

function withMounts({ definition }: ComposeService, mounts: readonly MountDecision[]): JsonObject {
  return mounts.length === 0 ? definition : { ...definition, volumes: mounts.map((mount) => mount.definition) }
}

type Deciding = MountOptions & { readonly isWritten: ReturnType<typeof writesOf> }

function decideMount(
  service: string,
  mount: JsonObject,
  { checkout, sources, isWritten, digest }: Deciding,
): Omit<MountDecision, 'index'> {
  const { type, source, target, read_only: isReadOnly, bind: _bind, ...others } = mount
  const path = type === 'bind' && typeof source === 'string' ? relativeTo(checkout, source) : undefined
  const kind = path === undefined ? undefined : sources.get(path)
  if (path === undefined || kind === undefined) return { service, path: null, definition: mount, how: 'as it says' }
  if (isForData(kind)) {
    const { key } = persistentFolder(path, digest)
    const definition = { ...others, type: 'volume', source: key, target, ...readOnly(isReadOnly === true), volume: {} }
    return { service, path, definition, how: kind === 'empty' ? 'empty' : 'absent' }
  }
  if (isReadOnly === true) return { service, path, definition: mount, how: 'as it says' }
  if (isWritten(path, String(target))) return { service, path, definition: mount, how: 'written' }
  return { service, path, definition: { ...mount, read_only: true }, how: 'read' }
}

/** Adds the persistent folders inside mounted folders, with `nocopy`: only a direct mount fills a folder from its image. */
function withFolders(mounts: readonly MountDecision[], folders: readonly PersistentFolder[]): readonly MountDecision[] {
  const targets = mounts.map(({ definition }) => posix.resolve(String(definition.target)))
  const added = mounts.flatMap(({ service, path, definition }): MountDecision[] => {
    if (path === null) return []
    const own = posix.resolve(String(definition.target))
    return foldersWithin(path, folders).flatMap(({ key, inner }) => {
      const target = posix.join(own, inner)
      const isCovered = targets.some((other) => other === target || (isIn(other, own) && isIn(target, other)))
      if (isCovered) return []
      const read = readOnly(definition.read_only === true)
      const entry = { type: 'volume', source: key, target, ...read, volume: { nocopy: true } }
      return [{ service, index: null, path: null, definition: entry, how: 'as it says' }]
    })
  })
  return [...mounts, ...added]
}

/** Both are absolute, without a trailing slash. */
const isIn = (path: string, folder: string): boolean =>
  path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder

const readOnly = (isReadOnly: boolean): JsonObject => (isReadOnly ? { read_only: true } : {})
