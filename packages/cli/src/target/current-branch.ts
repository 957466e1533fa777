// The checked-out branch and the git folder, read from git's files without running git.
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readPlainFile } from '../repository/read-plain-file.ts'

/** Undefined outside a repository, and without a checked-out branch. */
export async function currentBranch(folder: string): Promise<string | undefined> {
  const gitFolder = await findGitFolder(folder)
  if (gitFolder === undefined) return undefined
  const head = await readText(join(gitFolder, 'HEAD'))
  return /^ref: refs\/heads\/(.+)\n?$/.exec(head ?? '')?.[1]
}

/** One folder for all worktrees of a repository. */
export async function findCommonGitFolder(folder: string): Promise<string | undefined> {
  const gitFolder = await findGitFolder(folder)
  const common = gitFolder && (await readText(join(gitFolder, 'commondir')))?.trim()
  return common ? resolve(gitFolder, common) : gitFolder
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git')
  const found = await stat(path).catch(orIfAbsent)
  if (found?.isDirectory()) return path
  if (found?.isFile()) {
    // In a worktree or a submodule, the file says where the git folder is.
    const target = /^gitdir: (.+?)\n?$/.exec((await readText(path)) ?? '')?.[1]
    return target === undefined ? undefined : resolve(folder, target)
  }
  return dirname(folder) === folder ? undefined : findGitFolder(dirname(folder))
}

/** Undefined if it is not a plain file; a pipe would block. */
async function readText(file: string): Promise<string | undefined> {
  const found = await readPlainFile(file, { mostBytes: 64 * 1024 }).catch(orIfAbsent)
  return found?.kind === 'file' ? found.content.toString() : undefined
}

function orIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
