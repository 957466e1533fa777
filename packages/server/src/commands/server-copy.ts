// The words of git that bring a commit to a server, and of what runs there: a repository with the files of commits, without history.
import { type Command, shellLine } from './command.ts'
import { commitRef, inside, keptRefs, pieceByPiece } from './git.ts'
import { loadScript, shell } from './script.ts'

/**
 * The tree alone goes to a server: no history, so nothing there depends on how much of it the mirror has. `word` must be new and
 * unguessable: the server says it when it begins to receive and when it has ended, so that an end can be told from a cut.
 */
export const pushTree = (mirror: string, address: string, { sha, word }: { sha: string; word: string }): Command => [
  ...inside(mirror, [pieceByPiece, 'pack.windowMemory=128m']),
  ...['push', '--progress', '--no-verify', '--recurse-submodules=no'],
  // git adds the path of the repository behind these words.
  ...[`--receive-pack=${shellLine(shell(receiveScript, word))}`, '--'],
  ...[address, `+${commitRef(sha)}^{tree}:${commitRef(sha)}`],
]

/** On the server: ends with 0 where the commit is there, with `missingExitCode` where only its repository is; makes nothing. */
export const findCommit = (repository: string, sha: string): Command => [
  ...inside(repository),
  ...['rev-parse', '--quiet', '--verify', commitRef(sha)],
]

export const missingExitCode = 1

/** On the server: ends with 0 when the commit is there, with `absentExitCode` after making sure of the repository. */
export const prepareRepository = (repository: string, sha: string): Command =>
  shell(prepareScript, 'prepare', repository, commitRef(sha))

export const absentExitCode = 3

/** On the server: the files of a commit as a folder. Ran before, it does nothing; ended half-way, it starts afresh. */
export const checkOut = (repository: string, sha: string, folder: string): Command =>
  shell(checkOutScript, 'check-out', repository, commitRef(sha), folder)

/** On the server: every commit that is there, as its ref. */
export const listCommits = (repository: string): Command => [
  ...inside(repository),
  ...['for-each-ref', '--format=%(refname)', '--', keptRefs],
]

/** On the server: the refs come on standard input, as `refsToRemove` writes them, and go all or none. */
export const removeCommits = (repository: string): Command => [...inside(repository), 'update-ref', '--stdin', '-z']

export const refsToRemove = (refs: readonly string[]): string => refs.map((ref) => `delete ${ref}\0\0`).join('')

/** On the server: gives back the space of removed commits, when there is enough to be worth it. */
export const tidy = (repository: string): Command => [
  ...inside(repository, ['gc.autoDetach=false', 'gc.autoPackLimit=20', 'gc.pruneExpire=1.hour.ago']),
  ...['gc', '--auto', '--quiet'],
]

const receiveScript = loadScript(import.meta.url, 'receive')
const prepareScript = loadScript(import.meta.url, 'without-settings', 'prepare-repository')
const checkOutScript = loadScript(import.meta.url, 'without-settings', 'check-out')
