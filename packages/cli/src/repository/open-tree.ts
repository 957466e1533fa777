// A working tree as the rules read it: only what a commit would contain, never ignored files or files behind links.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { isComposePath } from '@shipway/rules/service-file/find-compose-files'
import { foldersOf, type Listing } from './list-files.ts'
import { readPlainFile } from './read-plain-file.ts'

export type WorkingTree = {
  /** Undefined if a commit would not contain the file; a sentence if the platform would not read it. */
  read(path: string): Promise<Uint8Array | string | undefined>
  kindOf(path: string): Promise<'absent' | 'empty' | 'file' | 'folder'>
  /** Files that are named like a compose file. */
  listComposeFiles(): Promise<readonly string[]>
  readonly links: ReadonlySet<string>
  /** Files that were read, with their contents. */
  readonly seen: ReadonlyMap<string, Uint8Array>
  /** Requested files that exist but are ignored by git. */
  readonly ignored: ReadonlySet<string>
}

export function openTree(folder: string, { entries, by }: Listing): WorkingTree {
  const seen = new Map<string, Uint8Array>()
  const ignored = new Set<string>()
  const links = new Set([...entries].filter(([, kind]) => kind === 'link').map(([path]) => path))
  const filled = filledFolders(entries)
  return {
    listComposeFiles: async () =>
      [...entries].filter(([path, kind]) => kind === 'file' && isComposePath(path)).map(([path]) => path),
    links,
    seen,
    ignored,
    read: async (path) => {
      const kind = entries.get(path)
      if (kind === undefined) {
        if (filled.has(path)) return notAFile(path, 'a folder')
        if (by === 'git' && isInside(path) && !foldersOf(path).some((above) => links.has(above))) {
          const exists = await access(join(folder, path)).then(
            () => true,
            () => false,
          )
          if (exists) ignored.add(path)
        }
        return undefined
      }
      if (kind !== 'file') return notAFile(path, kind === 'link' ? 'a symbolic link' : 'a submodule')
      const content = await readFile(join(folder, path), path)
      if (content instanceof Uint8Array) seen.set(path, content)
      return content
    },
    kindOf: async (path) => {
      if (entries.get(path) === 'file') return 'file'
      if (entries.get(path) === 'submodule') return 'empty'
      const isFilled = path === '' || path === '.' ? true : filled.get(path)
      return isFilled === undefined ? 'absent' : isFilled ? 'folder' : 'empty'
    },
  }
}

const isInside = (path: string): boolean => path !== '' && !path.startsWith('/') && !path.split('/').includes('..')

/** The platform's own sentence for a commit. */
const notAFile = (path: string, what: string): string => `${path} is ${what}, not a file`

/** For each folder, whether it contains more than placeholders, which keep empty folders in git. */
function filledFolders(entries: Listing['entries']): ReadonlyMap<string, boolean> {
  const filled = new Map<string, boolean>()
  for (const [path, kind] of entries) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const counts = kind !== 'submodule' && !PLACEHOLDERS.has(name)
    for (const above of foldersOf(path)) filled.set(above, counts || filled.get(above) === true)
  }
  return filled
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(['.gitkeep', '.keep', '.gitignore'])

/** As much as the platform reads of a file. */
const MOST_BYTES = 1024 * 1024

/** Neither follows links nor blocks on a pipe that replaced the file. */
async function readFile(file: string, path: string): Promise<Uint8Array | string | undefined> {
  const found = await readPlainFile(file, { mostBytes: MOST_BYTES, followsLinks: false }).catch(asSentence)
  if (found === undefined || typeof found === 'string') return found
  if (found.kind === 'other') return notAFile(path, 'something else')
  if (found.kind === 'file') return found.content
  return `${path} has ${found.size} bytes, and at most ${MOST_BYTES} are read. Move long scripts and texts into files of their own`
}

function asSentence(error: NodeJS.ErrnoException): string | undefined {
  if (error.code === 'ENOENT') return undefined
  if (error.code === 'ELOOP') return 'The file is a symbolic link, and is not read'
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'You have no permission to read the file'
  throw error
}
