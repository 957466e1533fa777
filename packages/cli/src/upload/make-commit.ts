/**
 * Makes a commit from a working tree: its tracked files as they are, and new files that are not ignored. It is made in a temporary folder
 * with an index of its own, so that the index, the refs, the stash and the objects of the repository stay as they are.
 *
 * The commit has no parents, since history would send what earlier commits had.
 */
import { copyFile, lstat, mkdir, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { type GitOptions, runGit, tryGit } from './run-git.ts'

export type Checkout = { readonly root: string; readonly head: string; readonly branch: string }

export type TreeCommit = {
  readonly sha: string
  /** How many files differ from the checked-out commit. */
  readonly changedFiles: number
  /** Runs git with the objects of the commit. */
  readonly git: GitOptions
}

export async function findCheckout(folder: string, signal: AbortSignal): Promise<Checkout> {
  const root = await tryGit(['rev-parse', '--show-toplevel'], { folder, signal })
  if (root.code !== 0) throw NoCheckout(folder)
  const found = { folder: withoutNewline(root.output), signal }
  const head = await tryGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], found)
  const sha = withoutNewline(head.output)
  if (head.code !== 0) throw new CommandError('The repository has no commit yet. Commit once', { code: 'no_commit' })
  if (sha.length !== 40) throw new CommandError('Repositories with SHA-256 cannot be uploaded', { code: 'sha256' })
  const branch = await tryGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], found)
  return { root: found.folder, head: sha, branch: branch.code === 0 ? withoutNewline(branch.output) : 'detached' }
}

/** `scratch` is an empty folder that the caller removes. */
export async function makeCommit(
  { root, head, branch }: Checkout,
  { scratch, signal }: { readonly scratch: string; readonly signal: AbortSignal },
): Promise<TreeCommit> {
  const plain = { folder: root, signal }
  if ((await runGit(['ls-files', '--unmerged', '-z'], plain)).length > 0)
    throw new CommandError('Some files have conflicts. Resolve them first', {
      code: 'unmerged',
      advice: ['List them: git status'],
    })
  await refuseLargeFiles(plain)
  const git = { ...plain, environment: await openScratch(plain, scratch) }
  await runGit(['add', '--all', '--', '.'], git)
  const tree = withoutNewline(await runGit(['write-tree'], git))
  const changed = await runGit(['diff-tree', '-r', '-z', '--name-only', '--no-renames', head, tree], git)
  const changedFiles = changed.toString('latin1').split('\0').length - 1
  const message = `Working tree of ${branch}: ${counted(changedFiles, 'file')} changed since ${head.slice(0, 7)}`
  const committing = { ...git, environment: { ...git.environment, ...(await identity(plain)) } }
  const sha = withoutNewline(await runGit(['commit-tree', '--no-gpg-sign', '-m', message, tree], committing))
  return { sha, changedFiles, git }
}

/** The index is copied with its time, by which git finds files that changed while it was written. */
async function openScratch(git: GitOptions, scratch: string): Promise<Record<string, string>> {
  const path = async (name: string): Promise<string> =>
    resolve(git.folder, withoutNewline(await runGit(['rev-parse', '--git-path', name], git)))
  const [index, copy, objects] = [await path('index'), join(scratch, 'index'), join(scratch, 'objects')]
  const found = await stat(index).catch(undefinedIfMissing)
  if (found) {
    await copyFile(index, copy)
    await utimes(copy, found.atime, found.mtime)
  }
  await mkdir(objects)
  return {
    GIT_INDEX_FILE: copy,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(await path('objects')),
  }
}

const MOST_NEW_BYTES = 1024 ** 3

/** Before git reads them: a forgotten entry of .gitignore can be gigabytes. */
async function refuseLargeFiles(git: GitOptions): Promise<void> {
  const listed = await runGit(['ls-files', '-z', '--others', '--modified', '--exclude-standard'], git)
  const files = new Set(listed.toString().split('\0').filter(Boolean))
  const sizes: { readonly file: string; readonly bytes: number }[] = []
  for (const file of files) {
    const found = await lstat(join(git.folder, file)).catch(undefinedIfMissing)
    if (found?.isFile()) sizes.push({ file, bytes: found.size })
  }
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_NEW_BYTES) return
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 5)
  throw new CommandError('New and changed files have more than 1 GiB. Ignore what is not needed in .gitignore', {
    code: 'too_large',
    advice: largest.map(({ file, bytes }) => `  ${Math.ceil(bytes / 1024 ** 2)} MiB  ${plainText(file)}`),
  })
}

/** The name that the user's commits have, without the address. */
async function identity(git: GitOptions): Promise<Record<string, string>> {
  const { code, output } = await tryGit(['config', 'user.name'], git)
  const name = (code === 0 && withoutNewline(output).replaceAll(/[<>\n]/g, '')) || 'shipway up'
  const email = 'up@shipway.invalid'
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

const NoCheckout = (folder: string): CommandError =>
  new CommandError(`${plainText(folder)} is not in a git repository with a working tree`, { code: 'no_repository' })

export const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Names may end in spaces. */
const withoutNewline = (output: Buffer): string => output.toString().replace(/\r?\n$/, '')

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
