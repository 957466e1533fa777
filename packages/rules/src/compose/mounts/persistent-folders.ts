// Folders of an environment that outlive its releases. Each is a volume of the compose project, named after its path in the repository,
// so that every release finds the same one.
//
// They are volumes and not folders on the server's disk, because Docker fills a new volume from the image, with owners, because links in it
// cannot lead elsewhere, and because it is deleted together with the environment's other volumes.
import { posix } from 'node:path'
import type { JsonObject } from '../model.ts'
import { liesIn } from './checkout-path.ts'

/** The label that says which folder a volume stands for. */
export const FOLDER_LABEL = 'shipway.folder'

/** Marks the volume in the model, before labels are added. Compose ignores it. */
const FOLDER_KEY = 'x-shipway-folder'

export type PersistentFolder = { readonly path: string; readonly key: string }

/** `path` is relative to the checkout. Keys are unique. */
export function persistentFolder(path: string, digest: (text: string) => string): PersistentFolder {
  const readable = path.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
  return { path, key: `folder-${readable}-${digest(path).slice(0, 16)}`.replaceAll(/-+/g, '-') }
}

export const volumeOf = ({ path, key }: PersistentFolder, projectName: string): JsonObject => ({
  name: `${projectName}_${key}`,
  [FOLDER_KEY]: path,
})

/** The path of a persistent folder; null for an ordinary volume. */
export function folderOf(volume: JsonObject | undefined): string | null {
  const path = volume?.[FOLDER_KEY]
  return typeof path === 'string' ? path : null
}

/** Persistent folders inside a folder, with their relative paths. */
export function foldersWithin(
  folder: string,
  all: readonly PersistentFolder[],
): (PersistentFolder & { readonly inner: string })[] {
  return all
    .filter(({ path }) => liesIn(`/${path}`, `/${folder}`))
    .map((found) => ({ ...found, inner: posix.relative(`/${folder}`, `/${found.path}`) }))
}

/** Only the platform says what is a persistent folder. */
export function withoutFolderKey(volume: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(volume).filter(([key]) => key !== FOLDER_KEY))
}
