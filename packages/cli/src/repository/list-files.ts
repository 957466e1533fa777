// Lists the files that a commit of this folder would contain: tracked ones, and new ones that git does not ignore.
import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit, TooManyFiles } from './run-git.ts'

type EntryKind = 'file' | 'link' | 'submodule'

export type Listing = {
  /** By their paths from the folder, with `/` between names. */
  readonly entries: ReadonlyMap<string, EntryKind>
  /** `git`: as in a commit. `disk`: all files, since the folder is not in a git repository. */
  readonly by: 'git' | 'disk'
}

export async function listFiles(folder: string, signal: AbortSignal): Promise<Listing> {
  const printed = await runGit(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    folder,
    signal,
  })
  const names = printed?.toString().split('\0').filter(Boolean) ?? []
  // A folder that git ignores as a whole is read as if there were no git.
  if (names.length === 0) return { entries: await walk(folder, signal), by: 'disk' }
  const kinds = names.flatMap((name) => {
    const kind = kindOnDisk(folder, name)
    return kind === undefined ? [] : [[name.replace(/\/$/, ''), kind] as const]
  })
  return { entries: withoutLinked(new Map(kinds)), by: 'git' }
}

/** Undefined for deleted files and for what a commit cannot contain. A folder in the list is a submodule. */
function kindOnDisk(folder: string, name: string): EntryKind | undefined {
  if (name.startsWith('/') || name.split('/').includes('..')) return undefined
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (found?.isFile()) return 'file'
  if (found?.isSymbolicLink()) return 'link'
  return found?.isDirectory() ? 'submodule' : undefined
}

/** A folder may have become a link since its files were committed. */
function withoutLinked(entries: ReadonlyMap<string, EntryKind>): ReadonlyMap<string, EntryKind> {
  if (![...entries.values()].includes('link')) return entries
  const isBehindLink = (path: string): boolean => foldersOf(path).some((above) => entries.get(above) === 'link')
  return new Map([...entries].filter(([path]) => !isBehindLink(path)))
}

/** The folders that a path lies in, outermost first. */
export function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

async function walk(root: string, signal: AbortSignal): Promise<ReadonlyMap<string, EntryKind>> {
  const entries = new Map<string, EntryKind>()
  const open = ['']
  let count = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal.throwIfAborted()
    const found = await readdir(join(root, folder), { withFileTypes: true }).catch(ifUnreadable)
    count += found.length
    if (count > MOST_FILES) throw TooManyFiles(root)
    for (const entry of found) {
      if (entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) entries.set(path, 'file')
      else if (entry.isSymbolicLink()) entries.set(path, 'link')
    }
  }
  return entries
}

const MOST_FILES = 300_000

/** No permission, or deleted in the meantime. */
function ifUnreadable(error: NodeJS.ErrnoException): [] {
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOENT') return []
  throw error
}
