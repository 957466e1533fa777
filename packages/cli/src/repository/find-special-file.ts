// Finds what blocks git: a pipe or a device in place of a file that git reads. The author of a repository may have put it there.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProcess } from '../process.ts'

type Search = { readonly folder: string; readonly signal: AbortSignal }

/** Its path, or undefined. */
export async function findSpecialFile(search: Search): Promise<string | undefined> {
  return (await searchUpwards(search.folder)) ?? (await checkExcludesFile(search)) ?? (await searchDownwards(search))
}

const TREE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules'])
const GIT_FILES = ['config', 'config.worktree', 'HEAD', 'index', 'packed-refs', 'info/exclude', 'info/attributes']

/** From the folder to the root of its repository. */
async function searchUpwards(folder: string): Promise<string | undefined> {
  const files = [...TREE_FILES, ...GIT_FILES.map((name) => `.git/${name}`)].map((name) => join(folder, name))
  for (const file of files) if (await isSpecial(file)) return file
  const isRoot = (await stat(join(folder, '.git')).catch(ifUnreachable)) !== undefined
  return isRoot || dirname(folder) === folder ? undefined : searchUpwards(dirname(folder))
}

/** The repository's settings may name any file. Git blocks here too if they include a pipe. */
async function checkExcludesFile({ folder, signal }: Search): Promise<string | undefined> {
  const pieces: Buffer[] = []
  await runProcess(['git', 'config', '--type=path', '--get', 'core.excludesFile'], {
    folder,
    onOutput: (piece) => void pieces.push(piece),
    onErrors: () => undefined,
    signal: AbortSignal.any([signal, AbortSignal.timeout(EXCLUDES_MS)]),
  })
  const file = Buffer.concat(pieces).toString().trimEnd()
  return file !== '' && (await isSpecial(file)) ? file : undefined
}

const EXCLUDES_MS = 2_000

async function searchDownwards({ folder, signal }: Search): Promise<string | undefined> {
  const open = [folder]
  for (let next = open.pop(); next !== undefined && !signal.aborted; next = open.pop()) {
    for (const entry of (await readdir(next, { withFileTypes: true }).catch(ifUnreachable)) ?? []) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) open.push(path)
      // Git follows no link here.
      else if (TREE_FILES.has(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) return path
    }
  }
  return undefined
}

async function isSpecial(file: string): Promise<boolean> {
  const found = await stat(file).catch(ifUnreachable)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

function ifUnreachable(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(error.code ?? '')) return undefined
  throw error
}
