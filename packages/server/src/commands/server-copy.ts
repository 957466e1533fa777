// Git commands that send a commit to a server and run there. The repository on a server has the files of commits, without history.
import { type Command, shellLine } from './command.ts'
import { commitRef, inRepository, keptRefs, streamLargeFiles } from './git.ts'
import { loadScript, shell } from './script.ts'

/**
 * Sends only the tree, without history, so nothing on a server depends on how much history the mirror has. `word` must be new and
 * unguessable: the server prints it at the start and the end of receiving, which shows whether a push was cut off.
 */
export const pushTree = (mirror: string, address: string, { sha, word }: { sha: string; word: string }): Command => [
  ...inRepository(mirror, [streamLargeFiles, 'pack.windowMemory=128m']),
  ...['push', '--progress', '--no-verify', '--recurse-submodules=no'],
  // git appends the path of the repository to this.
  ...[`--receive-pack=${shellLine(shell(receiveScript, word))}`, '--'],
  ...[address, `+${commitRef(sha)}^{tree}:${commitRef(sha)}`],
]

/** On the server: exits with 0 if the commit is there, with `missingExitCode` if only its repository is. Creates nothing. */
export const findCommit = (repository: string, sha: string): Command => [
  ...inRepository(repository),
  ...['rev-parse', '--quiet', '--verify', commitRef(sha)],
]

export const missingExitCode = 1

/** On the server: exits with 0 if the commit is there, with `absentExitCode` after creating a missing repository. */
export const prepareRepository = (repository: string, sha: string): Command =>
  shell(prepareScript, 'prepare', repository, commitRef(sha))

export const absentExitCode = 3

/** On the server: checks out the files of a commit into a folder. Idempotent; an interrupted run starts again. */
export const checkOut = (repository: string, sha: string, folder: string): Command =>
  shell(checkOutScript, 'check-out', repository, commitRef(sha), folder)

/** On the server: lists the refs of all commits. */
export const listCommits = (repository: string): Command => [
  ...inRepository(repository),
  ...['for-each-ref', '--format=%(refname)', '--', keptRefs],
]

/** On the server: reads refs from standard input, as `refsToRemove` writes them, and removes all or none. */
export const removeCommits = (repository: string): Command => [
  ...inRepository(repository),
  'update-ref',
  '--stdin',
  '-z',
]

export const refsToRemove = (refs: readonly string[]): string => refs.map((ref) => `delete ${ref}\0\0`).join('')

/** On the server: frees the space of removed commits if there are enough of them. */
export const collectGarbage = (repository: string): Command => [
  ...inRepository(repository, ['gc.autoDetach=false', 'gc.autoPackLimit=20', 'gc.pruneExpire=1.hour.ago']),
  ...['gc', '--auto', '--quiet'],
]

const receiveScript = loadScript(import.meta.url, 'receive')
const prepareScript = loadScript(import.meta.url, 'without-settings', 'prepare-repository')
const checkOutScript = loadScript(import.meta.url, 'without-settings', 'check-out')
