// The start of every git command, and the commands that query a git host. Git reads no settings of the machine.
import type { Command } from './command.ts'
import { loadCommented } from './script.ts'

export const keptRefs = 'refs/shipway'

/** Commits of submodules have refs of their own: none of them can be taken for a commit of the project. */
export const submoduleRefs = 'refs/submodules'

export type RefNamespace = typeof keptRefs | typeof submoduleRefs

/** The ref that keeps a requested commit: in the mirror it points to the commit, on a server to the commit's tree. */
export const commitRef = (sha: string): string => `${keptRefs}/${sha}`

/** Refs of the git host that match a pattern with stars. The answer may contain other refs with the same ending. */
export function listHostRefs(address: string, pattern: string, settings: readonly string[]): Command {
  const words = [...gitCommand(settings), 'ls-remote', '--quiet', '--refs', '--', address, pattern] as const
  return withinMemory(words, LIST_MEBIBYTES)
}

/** git on a bare repository. */
export function inRepository(mirror: string, settings: readonly string[] = []): Command {
  return [...gitCommand(settings), `--git-dir=${mirror}`]
}

export function gitCommand(settings: readonly string[]): Command {
  return ['git', ...[...constantSettings, ...settings].flatMap((setting) => ['-c', setting])]
}

/**
 * Limits the memory of each process that the command starts. The author of a repository controls how much memory git needs: a pack of
 * kilobytes can claim to be terabytes, and so can a compressed response. Memory-mapped files that are only read do not count.
 */
export const withinMemory = (command: Command, mebibytes = 2048): Command => [
  'prlimit',
  `--data=${mebibytes * 1024 * 1024}`,
  ...command,
]

/** Lists of refs are limited to one mebibyte, so this is enough to read one. */
const LIST_MEBIBYTES = 256

/** git streams larger files, so that honest repositories stay within the limit. */
export const streamLargeFiles = 'core.bigFileThreshold=32m'

const constantSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'credential.helper=',
  'http.followRedirects=false',
]

/** A program for GIT_ASKPASS. It reads its answers from files beside itself, whose names are its own with `.host`, `.username` and `.token`. */
export const askpassScript = loadCommented(import.meta.url, 'askpass')
