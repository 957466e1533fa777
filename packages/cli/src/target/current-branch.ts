// The branch that is checked out, read from the files of git: nothing of a repository is run to find it.
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readPlainFile } from '../repository/read-plain-file.ts'

/** Undefined outside a repository, and where no branch is checked out. */
export async function currentBranch(folder: string): Promise<string | undefined> {
  const gitFolder = await findGitFolder(folder)
  if (gitFolder === undefined) return undefined
  const head = await readText(join(gitFolder, 'HEAD'))
  return /^ref: refs\/heads\/(.+)\n?$/.exec(head ?? '')?.[1]
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git')
  const found = await stat(path).catch(orIfAbsent)
  if (found?.isDirectory()) return path
  if (found?.isFile()) {
    // Of a worktree or a submodule: it says where the folder is.
    const target = /^gitdir: (.+?)\n?$/.exec((await readText(path)) ?? '')?.[1]
    return target === undefined ? undefined : resolve(folder, target)
  }
  return dirname(folder) === folder ? undefined : findGitFolder(dirname(folder))
}

/** Undefined for whatever is no file of git: nobody waits for a pipe. */
async function readText(file: string): Promise<string | undefined> {
  const found = await readPlainFile(file, { mostBytes: 64 * 1024 }).catch(orIfAbsent)
  return found?.kind === 'file' ? found.content.toString() : undefined
}

function orIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
