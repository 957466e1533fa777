/**
 * The words of git on a mirror, the platform's own copy of a repository. A commit is kept as a ref of its own, so that nothing of it
 * is ever tidied away.
 */
import type { Command } from './command.ts'
import { commitRef, guarded, inside, keptRefs, pieceByPiece } from './git.ts'
import { loadScript, shell } from './script.ts'

type Fetch = {
  readonly mirror: string
  readonly address: string
  /** Settings of the connection, as `name=value`. */
  readonly settings: readonly string[]
  /** A ref of the host, which may end in a star, or a sha. */
  readonly from: string
  /** The commit to keep; else the one that `from` leads to. */
  readonly sha?: string
  readonly history: 'one commit' | 'all'
  /** A larger file ends the fetch. */
  readonly maxFileBytes: number
  /** New for each fetch: what an earlier one has left must not stand in its way, nor count as what came with it. */
  readonly name: string
  readonly print: FilesToPrint
}

/** Constant names of files in the root. Those that together have more than `mostBytes` are listed alone. */
export type FilesToPrint = { readonly names: readonly string[]; readonly mostBytes: number }

/**
 * Prints the commit that is kept now as `describeCommit` does; nothing where the one that was wanted did not come. Behind it stand the
 * files: a line for each that is there, as `git ls-tree --long` has it, an empty line, and for each that is printed a line with its size,
 * its content and the end of a line. Ends with `brokenExitCode` where the commit was fetched and the mirror cannot keep it.
 */
export function fetchAndKeep(fetch: Fetch): Command {
  const { mirror, sha = '', name, print } = fetch
  const printed = [`${print.mostBytes}`, print.names.join(' ')]
  const words = [keptRefs, guarded([]).join(' '), describeWords.join(' '), ...printed]
  return alone(mirror, shell(keepScript, 'keep', mirror, sha, `${incoming}/${name}`, ...words, ...fetchWords(fetch)))
}

export const brokenExitCode = 76

function fetchWords({ mirror, address, settings, from, history, maxFileBytes, name }: Fetch): Command {
  const depth = history === 'all' ? wholeHistory : 1
  const to = `${incoming}/${name}/${from.endsWith('*') ? '*' : 'one'}`
  return [
    'prlimit',
    `--fsize=${maxFileBytes}`,
    ...inside(mirror, [...fetchSettings, ...settings]),
    ...['fetch', '--progress', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', `--depth=${depth}`],
    ...['--', address, `+${from}:${to}`],
  ]
}

/** Where things land before their commit has a ref. Whoever keeps a commit takes all of it away, also what a killed one left. */
const incoming = 'refs/incoming'

/** git's own number for "without end"; `--unshallow` fails on a mirror that is whole already. */
const wholeHistory = 2 ** 31 - 1

/** Every object is checked on its way in; what old tools wrote wrongly but harmlessly is let through. */
export const fetchSettings = [
  'fetch.fsckObjects=true',
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'badEmail', 'missingEmail', 'badFilemode'].map(
    (fault) => `fetch.fsck.${fault}=ignore`,
  ),
  'submodule.recurse=false',
  pieceByPiece,
  'gc.autoDetach=false',
]

/** Names and subjects are cut, since a commit may have them at any length; what is shorter is filled up with spaces. */
const describeWords = [
  ...['log', '-1', '--no-show-signature'],
  '--format=%H%x00%<(200,trunc)%an%x00%<(1000,trunc)%s%x00',
] as const

const keepScript = loadScript(import.meta.url, 'keep-commit')

/**
 * Whatever changes a mirror does it alone. The lock is the kernel's, so it is free as soon as its holder is dead, however it
 * died; what the dead one left half-done is swept away first. Waiting in vain ends with `busyExitCode`.
 */
export const alone = (mirror: string, command: Command): Command => [
  'flock',
  ...['--no-fork', '--timeout', '600', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...shell(aloneScript, 'alone', mirror, ...command),
]

export const busyExitCode = 75

/** Ends with `busyExitCode` where somebody changes the mirror. The lock goes last: what ends half-way leaves a name to find. */
export const removeMirror = (mirror: string): Command => [
  'flock',
  ...['--no-fork', '--nonblock', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...['rm', '-rf', '--', mirror, `${mirror}.lock`],
]

const aloneScript = loadScript(import.meta.url, 'alone')

/** Its sha, author and subject, each ended by a NUL. Fails where the commit is not kept. */
export const describeCommit = (mirror: string, sha: string): Command => [
  ...inside(mirror),
  ...[...describeWords, commitRef(sha), '--'],
]

/** Prints the mode and the size of what the path is, if it is there, and on the next line a file that is not too large. */
export function readFile(mirror: string, sha: string, file: { path: string; maxBytes: number }): Command {
  return shell(readScript, 'read', `${file.maxBytes}`, commitRef(sha), file.path, ...inside(mirror))
}

const readScript = loadScript(import.meta.url, 'read-file')

/** Every entry of a commit with its size, its folders opened. */
export const listTree = (mirror: string, sha: string): Command => [
  ...inside(mirror),
  ...['ls-tree', '-r', '-z', '--long', '--full-tree', commitRef(sha)],
]
