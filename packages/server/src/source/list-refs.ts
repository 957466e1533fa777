// Lists the current refs of a git host.
import { Branch } from '@shipway/api/values/branch'
import { listHostRefs } from '../commands/git.ts'
import { type ConnectOptions, connect, type Repository } from './connection.ts'
import { branchNotFound } from './mirror.ts'
import { type GitIo, runGit } from './run-git.ts'

/** The newest commit of a branch. */
export async function resolveBranch(
  repository: Repository,
  branch: string,
  options: ConnectOptions,
  io: GitIo,
): Promise<string> {
  if (!Branch.safeParse(branch).success) throw branchNotFound(branch, repository.address)
  const refs = await readRefs(repository, `refs/heads/${branch}`, options, io)
  const sha = refs.get(`refs/heads/${branch}`)
  if (!sha) throw branchNotFound(branch, repository.address)
  return sha
}

/** Shas of the refs that match a pattern, by name. */
export async function readRefs(
  repository: Repository,
  pattern: string,
  options: ConnectOptions,
  io: GitIo,
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await connect(repository, options, (connection) =>
    runGit(listHostRefs(repository.address, pattern, connection.settings), connection, io),
  )
  const lines = stdout.toString().split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [sha, ref] = line.split('\t')
      return sha && ref ? [[ref, sha]] : []
    }),
  )
}
