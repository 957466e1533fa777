/**
 * Checks that a commit belongs to a branch of the repository itself. A git host serves more than that by sha: commits of pull requests,
 * which any user of the git host can open, and often those of any fork.
 *
 * A commit of a fork is deployed only after an approval of that very commit, and without variables. Any other commit that is named by its
 * sha must be in a branch that the git host has now, whether or not the mirror has it.
 */
import { findHoldingBranch } from '../commands/branch-history.ts'
import { listHostRefs } from '../commands/git.ts'
import type { FetchOptions } from './mirror.ts'
import { runGit } from './run-git.ts'
import { SourceError } from './source-error.ts'

/** Queries the host itself, each time. */
export async function demandBranch(mirror: string, sha: string, options: FetchOptions): Promise<void> {
  if (await isInBranch(mirror, sha, options)) return
  const { address } = options.connection.repository
  throw new SourceError(
    'commit_in_no_branch',
    `Commit ${sha} is in no branch of ${address}. Push it to a branch there, or choose another commit. ` +
      'A commit of a fork is deployed by the environment of its pull request, once it is approved',
  )
}

/** The newest commit of a branch is found without the history. */
async function isInBranch(mirror: string, sha: string, options: FetchOptions): Promise<boolean> {
  const { connection, maxFileBytes, io } = options
  const { settings, repository } = connection
  const { stdout: listed } = await runGit(listHostRefs(repository.address, `${BRANCHES}*`, settings), connection, io)
  const heads = listed
    .toString()
    .split('\n')
    .map((line) => line.split('\t'))
    // Patterns match the end of a name: another kind of ref can have the same ending.
    .filter(([, ref]) => ref?.startsWith(BRANCHES))
  if (heads.some(([head]) => head === sha)) return true
  if (heads.length === 0) return false
  const command = findHoldingBranch({ mirror, address: repository.address, settings, sha, maxFileBytes })
  return (await runGit(command, connection, io)).stdout.toString().startsWith(BRANCHES)
}

const BRANCHES = 'refs/heads/'
