// The words that every git command begins with, and of those that ask a git host. Nothing of the machine's own settings takes part.
import type { Command } from './command.ts'

export const keptRefs = 'refs/shipway'

/** Where a commit that was asked for is kept: in the mirror the ref is the commit, on a server it is the commit's tree. */
export const commitRef = (sha: string): string => `${keptRefs}/${sha}`

/** The newest commit of a branch, asked of the host itself. The answer may hold other refs that end in the same words. */
export function listBranch(address: string, branch: string, settings: readonly string[]): Command {
  return [...guarded(settings), 'ls-remote', '--quiet', '--refs', '--', address, `refs/heads/${branch}`]
}

/** The refs of the host that fit a pattern, which may hold stars. */
export function listHostRefs(address: string, pattern: string, settings: readonly string[]): Command {
  return [...guarded(settings), 'ls-remote', '--quiet', '--refs', '--', address, pattern]
}

/** git on a repository without a folder of files. */
export function inside(mirror: string, settings: readonly string[] = []): Command {
  return [...guarded(settings), `--git-dir=${mirror}`]
}

export function guarded(settings: readonly string[]): Command {
  return ['git', ...[...always, ...settings].flatMap((setting) => ['-c', setting])]
}

const always = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'credential.helper=', 'http.followRedirects=false']
