/**
 * The platform's copy of a project's repository: the commits that were requested, usually without their history. A kept commit has a ref,
 * which is written when all objects of the commit are there.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { safeText } from '@shipway/rules/safe-text'
import { commitRef, keptRefs, type RefNamespace } from '../commands/git.ts'
import * as git from '../commands/mirror.ts'
import type { Connection } from './connection.ts'
import { queryMirror } from './mirror-process.ts'
import { PREFETCHED_FILES, type PrefetchedFiles, readPrefetchedFiles } from './prefetched-files.ts'
import { type GitIo, runGit } from './run-git.ts'
import { SourceError } from './source-error.ts'
import { undefinedIfMissing } from './undefined-if-missing.ts'

export type Commit = { readonly sha: string; readonly message: string; readonly author: string }

/**
 * A commit given by sha must be in a branch of the repository now, unless it is `admitted`: a user approved exactly that commit, or it was
 * checked before. Without a branch, all branches are searched if the host does not serve the commit by sha.
 */
export type CommitToFetch =
  | {
      readonly sha: string
      readonly isAdmitted?: boolean | undefined
      readonly branch?: string | undefined
      /** Used instead of the branch. */
      readonly ref?: string | undefined
    }
  | {
      readonly branch: string
      readonly sha?: undefined
      readonly isAdmitted?: undefined
      /** The commit that the git host reported, if it did: a prefetched one is good enough then. */
      readonly reportedSha?: string | undefined
    }

export type Fetched = { readonly commit: Commit; readonly files: PrefetchedFiles }

export type FetchOptions = {
  readonly connection: Connection
  readonly maxFileBytes: number
  readonly io: GitIo
  readonly refNamespace?: RefNamespace
}

/** Checks the file of the ref without starting git. False proves nothing: git may have packed the ref. */
export async function hasRef(mirror: string, sha: string): Promise<boolean> {
  const content = await readFile(join(mirror, commitRef(sha)), 'utf8').catch(undefinedIfMissing)
  // It points to another commit where submodules were added.
  return content !== undefined && /^[0-9a-f]{40}\n$/.test(content)
}

/** The commit, if the mirror has it. Opens no connection. */
export async function findCommit(
  mirror: string,
  sha: string,
  refNamespace?: RefNamespace,
): Promise<Commit | undefined> {
  const { exitCode, stdout } = await queryMirror(git.describeCommit(mirror, sha, refNamespace))
  return exitCode === 0 ? readCommit(stdout) : undefined
}

/** Fetches one commit into the mirror: the named one, or the newest of the branch. */
export async function fetchIntoMirror(mirror: string, wanted: CommitToFetch, options: FetchOptions): Promise<Fetched> {
  const { sha, branch } = wanted
  const { address } = options.connection.repository
  const fetch = (what: FetchTarget) => fetchAndKeep(mirror, what, options)
  const fetched = await (sha === undefined ? fetch({ from: `refs/heads/${branch}` }) : fetchSha(wanted, fetch)).catch(
    (error) => {
      throw hasCode(error, 'branch_not_found') ? branchNotFound(branch ?? '', address) : error
    },
  )
  if (fetched) return fetched
  throw new SourceError(
    'commit_not_found',
    `Commit ${sha} does not exist in ${address}. Push it, or choose another commit`,
  )
}

type FetchTarget = { readonly from: string; readonly sha?: string; readonly history?: 'one commit' | 'all' }

/** Some hosts serve branches only: the commit comes with the history of one branch, or of all. */
async function fetchSha(
  { sha, branch, ref }: Extract<CommitToFetch, { sha: string }>,
  fetch: (what: FetchTarget) => Promise<Fetched | undefined>,
): Promise<Fetched | undefined> {
  try {
    return await fetch({ from: sha, sha })
  } catch (error) {
    if (hasCode(error, 'commit_not_found')) return undefined
    if (!hasCode(error, 'commit_not_offered')) throw error
    const from = ref ?? `refs/heads/${branch ?? '*'}`
    return fetch({ from, sha, history: 'all' })
  }
}

async function fetchAndKeep(
  mirror: string,
  { history = 'one commit', ...what }: FetchTarget,
  { connection, maxFileBytes, io, refNamespace = keptRefs }: FetchOptions,
): Promise<Fetched | undefined> {
  const { settings, repository } = connection
  const name = randomBytes(6).toString('hex')
  const command = git.fetchAndKeep({
    mirror,
    address: repository.address,
    settings,
    maxFileBytes,
    history,
    name,
    refNamespace,
    print: PREFETCHED_FILES,
    ...what,
  })
  const { stdout } = await runGit(command, connection, io)
  const commit = readCommit(stdout)
  return commit && { commit, files: readPrefetchedFiles(stdout.subarray(endOfDescription(stdout))) }
}

/** The third NUL is followed by a newline. */
function endOfDescription(printed: Buffer): number {
  const nul = (from: number): number => printed.indexOf(0, from) + 1
  return nul(nul(nul(0))) + 1
}

export function readCommit(described: Buffer): Commit | undefined {
  const [sha, author, message] = described.toString().split('\0')
  if (!sha || author === undefined || message === undefined) return undefined
  return { sha, message: safeText(message.trimEnd().slice(0, 1000)), author: safeText(author.trimEnd().slice(0, 200)) }
}

/** Does nothing if another process changes the mirror. */
export async function forgetMirror(mirror: string): Promise<void> {
  const { exitCode, stderr } = await queryMirror(git.removeMirror(mirror))
  if (exitCode !== 0 && exitCode !== git.busyExitCode) throw new Error(`${mirror} cannot be removed: ${stderr}`)
}

export function branchNotFound(branch: string, address: string): SourceError {
  const sentence = `Branch ${branch} does not exist in ${address}. Push it, or choose another branch for the environment`
  return new SourceError('branch_not_found', sentence)
}

function hasCode(error: unknown, code: SourceError['code']): boolean {
  return error instanceof SourceError && error.code === code
}
