// The files that a pull request changes, from the mirror. The list is bounded: its author decides how long it is.
import { findMergeBase } from '../commands/branch-history.ts'
import { listChanges } from '../commands/mirror.ts'
import type { FetchOptions } from './mirror.ts'
import { queryMirror } from './mirror-process.ts'
import { runGit } from './run-git.ts'

/** As many as GitHub lists. */
const MOST_FILES = 3000
const MOST_BYTES = 256 * 1024

/** Thrown to end git once the list is too long to be read. */
class TooManyFiles extends Error {
  override readonly name = 'TooManyFiles'
}

/** The paths that differ between two fetched commits; undefined if there are too many. */
export async function listChangedFilesAt(
  mirror: string,
  commits: { readonly from: string; readonly to: string },
): Promise<readonly string[] | undefined> {
  const chunks: Buffer[] = []
  const read = { bytes: 0, files: 0 }
  try {
    const { exitCode, stderr } = await queryMirror(listChanges(mirror, commits), {
      timeoutMs: 60_000,
      onOutput: (bytes) => {
        chunks.push(bytes)
        read.bytes += bytes.length
        for (const byte of bytes) if (byte === 0) read.files++
        if (read.bytes > MOST_BYTES || read.files > MOST_FILES) throw new TooManyFiles()
      },
    })
    if (exitCode !== 0) throw new Error(`git cannot compare ${commits.from} with ${commits.to}: ${stderr}`)
  } catch (error) {
    if (error instanceof TooManyFiles) return undefined
    throw error
  }
  return Buffer.concat(chunks)
    .toString()
    .split('\0')
    .filter((path) => path !== '')
}

/** The newest commit that a branch of the host and a commit have in common; undefined if there is none. */
export async function findMergeBaseAt(
  mirror: string,
  { branch, sha }: { readonly branch: string; readonly sha: string },
  { connection, maxFileBytes, io }: FetchOptions,
): Promise<string | undefined> {
  const { settings, repository } = connection
  const command = findMergeBase({ mirror, address: repository.address, settings, sha, branch, maxFileBytes })
  const found = (await runGit(command, connection, io)).stdout.toString().trim()
  return /^[0-9a-f]{40}$/.test(found) ? found : undefined
}
