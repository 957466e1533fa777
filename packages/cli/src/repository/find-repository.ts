// Opens the folder of a command as the root of a repository.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { say } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import { listFiles } from './list-files.ts'
import { openTree, type WorkingTree } from './open-tree.ts'
import { runGit } from './run-git.ts'

export type Repository = {
  readonly folder: string
  readonly tree: WorkingTree
  /** `disk`: the folder is not in a git repository. */
  readonly by: 'git' | 'disk'
}

/** `word` is the user's argument; the current folder by default. */
export async function findRepository(ctx: Context, word: string | undefined): Promise<Repository> {
  const repository = await openRepository(resolve(ctx.folder, word ?? '.'), ctx.signal)
  if (repository.by === 'git') await warnIfNotRoot(ctx, repository.folder)
  return repository
}

export async function openRepository(folder: string, signal: AbortSignal): Promise<Repository> {
  // Missing, a file, or without permission: the answer is the same.
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw UsageError(`${plainText(folder)} is not a folder that can be read`, 'Give the folder of a repository')
  }
  const listing = await listFiles(folder, signal)
  return { folder, tree: openTree(folder, listing), by: listing.by }
}

/** The platform reads `.service.yml` from the root of a repository. */
async function warnIfNotRoot(ctx: Context, folder: string): Promise<void> {
  const prefix = await runGit(['rev-parse', '--show-prefix'], { folder, signal: ctx.signal })
  if (prefix === undefined || prefix.toString().trim() === '') return
  const up = prefix
    .toString()
    .trim()
    .split('/')
    .filter(Boolean)
    .map(() => '..')
  const root = plainText(resolve(folder, ...up))
  say(ctx, `Checking this folder as a repository of its own. The root of its git repository is ${root}`, '')
}
