// The words that every git command begins with, and of those that ask a git host. Nothing of the machine's own settings takes part.
import type { Command } from './command.ts'

export const keptRefs = 'refs/shipway'

/** Where a commit that was asked for is kept: in the mirror the ref is the commit, on a server it is the commit's tree. */
export const commitRef = (sha: string): string => `${keptRefs}/${sha}`

/** The refs of the git host that match a pattern with stars. The answer may hold other refs that end in the same words. */
export function listHostRefs(address: string, pattern: string, settings: readonly string[]): Command {
  const words = [...guarded(settings), 'ls-remote', '--quiet', '--refs', '--', address, pattern] as const
  return withinMemory(words, LIST_MEBIBYTES)
}

/** git on a repository without a folder of files. */
export function inside(mirror: string, settings: readonly string[] = []): Command {
  return [...guarded(settings), `--git-dir=${mirror}`]
}

export function guarded(settings: readonly string[]): Command {
  return ['git', ...[...always, ...settings].flatMap((setting) => ['-c', setting])]
}

/**
 * The same command with a bound on the memory of each process that it starts. Whoever wrote what git reads chooses how much of it
 * there is: a pack of kilobytes can say that it is terabytes, and so can a compressed answer. Files that are only read do not count.
 */
export const withinMemory = (command: Command, mebibytes = 2048): Command => [
  'prlimit',
  `--data=${mebibytes * 1024 * 1024}`,
  ...command,
]

/** A list of refs that is read at all has a mebibyte. */
const LIST_MEBIBYTES = 256

/** Larger files go through git piece by piece, so that those of honest repositories fit. */
export const pieceByPiece = 'core.bigFileThreshold=32m'

const always = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'credential.helper=', 'http.followRedirects=false']
