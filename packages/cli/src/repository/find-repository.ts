// The folder that a command is about, as the root of a repository.
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
  /** `disk`: git knows nothing of the folder. */
  readonly by: 'git' | 'disk'
}

/** `word` is as it was given; the current folder where it was not. */
export async function findRepository(ctx: Context, word: string | undefined): Promise<Repository> {
  const folder = resolve(ctx.folder, word ?? '.')
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw UsageError(`${plainText(folder)} is no folder`, 'Name the folder of a repository, or leave it out')
  }
  const { signal } = ctx
  const listing = await listFiles(folder, signal)
  if (listing.by === 'git') await warnIfNotRoot(ctx, folder)
  return { folder, tree: openTree(folder, listing), by: listing.by }
}

/** The platform reads what lies in the root of a repository. */
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
  say(ctx, `This folder is judged as if it were a repository of its own. The root of its repository is ${root}`, '')
}
