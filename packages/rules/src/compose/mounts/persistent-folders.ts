// The folders of an environment that outlive its releases: each is a volume of the compose project, named after its path in the
// repository alone, so that every release finds the same one.
//
// A volume and no folder on the server's disk: Docker fills a new one with what the image has at that place, owner and all, nothing
// that a container puts into it can lead anywhere else, and it goes where the environment's other volumes go.
import { posix } from 'node:path'
import type { JsonObject } from '../model.ts'
import { liesIn } from './checkout-path.ts'

/** The label that says which folder a volume stands for. */
export const FOLDER_LABEL = 'shipway.folder'

/** In the model, where labels of the platform are not yet. Compose passes over it. */
const FOLDER_KEY = 'x-shipway-folder'

export type PersistentFolder = { readonly path: string; readonly key: string }

/** `path` is relative to the checkout. No two come to the same key. */
export function persistentFolder(path: string, digest: (text: string) => string): PersistentFolder {
  const readable = path.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
  return { path, key: `folder-${readable}-${digest(path).slice(0, 16)}`.replaceAll(/-+/g, '-') }
}

export const volumeOf = ({ path, key }: PersistentFolder, projectName: string): JsonObject => ({
  name: `${projectName}_${key}`,
  [FOLDER_KEY]: path,
})

/** The path that a volume of the model stands for; null where it is one of the file's own. */
export function folderOf(volume: JsonObject | undefined): string | null {
  const path = volume?.[FOLDER_KEY]
  return typeof path === 'string' ? path : null
}

/** Those that lie within a folder, with where in it. */
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
