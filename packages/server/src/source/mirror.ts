/**
 * The platform's copy of a project's repository: the commits that were asked for, as a rule without their history.
 * A commit that is kept has a ref, which is written when everything that belongs to the commit is there.
 */
import { randomBytes } from 'node:crypto'
import * as git from '../commands/git.ts'
import { safeText } from '../domain/safe-text.ts'
import type { Connection } from './connection.ts'
import { askMirror, changeMirror } from './mirror-process.ts'
import { type GitIo, runGit } from './run-git.ts'
import { SourceError } from './source-error.ts'

export type Commit = { readonly sha: string; readonly message: string; readonly author: string }

/** A sha without a branch is looked for in all branches, where the host does not hand it out by itself. */
export type Wanted =
  | {
      readonly sha: string
      readonly branch?: string | undefined
      /** Looked at in place of the branch. */
      readonly ref?: string | undefined
    }
  | { readonly branch: string; readonly sha?: undefined }

type FetchOptions = { readonly connection: Connection; readonly maxFileBytes: number; readonly io: GitIo }

type Job = FetchOptions & { readonly mirror: string; readonly incoming: string }

/** The commit, if the mirror has it. Opens no connection. */
export const findCommit = (mirror: string, sha: string): Promise<Commit | undefined> =>
  describe(mirror, git.commitRef(sha))

/** Brings one commit into the mirror: the one named, or the newest of the branch. */
export async function fetchIntoMirror(mirror: string, wanted: Wanted, options: FetchOptions): Promise<Commit> {
  const incoming = git.incomingRef(`${Date.now()}-${randomBytes(6).toString('hex')}`)
  const job = { mirror, incoming, ...options }
  await (wanted.sha === undefined ? fetchBranch(wanted.branch, job) : fetchSha(wanted, job))
  const commit = await describe(mirror, wanted.sha ?? incoming)
  if (!commit) throw new Error(`What was fetched into ${mirror} is no commit`)
  await keep(commit.sha, job)
  return commit
}

/** Does nothing where somebody changes the mirror. */
export async function forgetMirror(mirror: string): Promise<void> {
  const { exitCode, stderr } = await askMirror(git.removeMirror(mirror))
  if (exitCode !== 0 && exitCode !== git.busyExitCode) throw new Error(`${mirror} cannot be removed: ${stderr}`)
}

async function fetchBranch(branch: string, job: Job): Promise<void> {
  await fetchRefs({ from: `refs/heads/${branch}`, to: job.incoming, history: 'one commit' }, job).catch((error) => {
    throw hasCode(error, 'branch_not_found') ? branchNotFound(branch, job.connection.repository.address) : error
  })
}

async function fetchSha({ sha, branch, ref }: Extract<Wanted, { sha: string }>, job: Job): Promise<void> {
  const { address } = job.connection.repository
  const notFound = new SourceError('commit_not_found', `Commit ${sha} does not exist in ${address}`)
  const offered = await fetchRefs({ from: sha, to: job.incoming, history: 'one commit' }, job).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'commit_not_offered')) return false
      throw hasCode(error, 'commit_not_found') ? notFound : error
    },
  )
  if (offered) return
  const place = ref ?? (branch === undefined ? undefined : `refs/heads/${branch}`)
  const [from, to] = place === undefined ? ['refs/heads/*', `${job.incoming}/*`] : [place, job.incoming]
  await fetchRefs({ from, to, history: 'all' }, job).catch((error) => {
    throw hasCode(error, 'branch_not_found') ? branchNotFound(branch ?? '', address) : error
  })
  const { exitCode, stdout } = await askMirror(git.refWith(job.mirror, sha, job.incoming))
  if (exitCode !== 0 || stdout.length === 0) throw notFound
}

export function branchNotFound(branch: string, address: string): SourceError {
  const sentence = `Branch ${branch} does not exist in ${address}. Push it, or choose another branch for the environment`
  return new SourceError('branch_not_found', sentence)
}

function hasCode(error: unknown, code: SourceError['code']): boolean {
  return error instanceof SourceError && error.code === code
}

async function fetchRefs(what: { from: string; to: string; history: 'one commit' | 'all' }, job: Job): Promise<void> {
  const { mirror, connection, maxFileBytes } = job
  const { address } = connection.repository
  const command = git.fetchInto({ mirror, address, settings: connection.settings, maxFileBytes, ...what })
  await runGit(git.alone(mirror, command), connection, job.io)
}

/** Gives the commit its ref, and lets go of what came with it and of the oldest commits. */
async function keep(sha: string, { mirror, incoming }: Job): Promise<void> {
  const { stdout } = await askMirror(git.listRefs(mirror))
  const refs = stdout.toString().split('\n').filter(Boolean)
  const kept = refs.filter((ref) => ref.startsWith(git.commitRef('')) && ref !== git.commitRef(sha))
  const passing = refs.filter((ref) => ref === incoming || ref.startsWith(`${incoming}/`) || isLeftOver(ref))
  const remove = [...kept.slice(keptCommits - 1), ...passing]
  await changeMirror(mirror, git.changeRefs(mirror), git.refChanges({ set: { [git.commitRef(sha)]: sha }, remove }))
}

const keptCommits = 50

/** Of a fetch that died. Its name begins with the time it was made. */
function isLeftOver(ref: string): boolean {
  const [, madeAt] = /^refs\/incoming\/([0-9]+)-/.exec(ref) ?? []
  return madeAt !== undefined && Number(madeAt) < Date.now() - 3_600_000
}

async function describe(mirror: string, revision: string): Promise<Commit | undefined> {
  const { exitCode, stdout } = await askMirror(git.describeCommit(mirror, revision))
  const [sha, author, message] = stdout.toString().split('\0')
  if (exitCode !== 0 || !sha || author === undefined || message === undefined) return undefined
  return { sha, message: safeText(message.slice(0, 1000)), author: safeText(author.slice(0, 200)) }
}
