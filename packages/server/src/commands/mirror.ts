/**
 * Git commands for a mirror, the platform's own copy of a repository. Each kept commit has a ref of its own, so that git never collects it
 * as garbage.
 */
import type { Command } from './command.ts'
import { commitRef, gitCommand, inRepository, keptRefs, type RefNamespace, streamLargeFiles } from './git.ts'
import { loadScript, shell } from './script.ts'

type Fetch = {
  readonly mirror: string
  readonly address: string
  /** Settings of the connection, as `name=value`. */
  readonly settings: readonly string[]
  /** A ref of the host, which may end in a star, or a sha. */
  readonly from: string
  /** The commit to keep; by default the one that `from` points to. */
  readonly sha?: string
  readonly history: 'one commit' | 'all'
  /** A larger file aborts the fetch. */
  readonly maxFileBytes: number
  /** Unique per fetch, so that refs of an earlier fetch neither conflict with it nor count as fetched. */
  readonly name: string
  /** The folder of the refs that keep its commits. */
  readonly refNamespace: RefNamespace
  readonly print: FilesToPrint
}

/** Constant names of files in the root. Files beyond `mostBytes` in all are only listed. */
export type FilesToPrint = { readonly names: readonly string[]; readonly mostBytes: number }

/**
 * Prints the kept commit as `describeCommit` does, or nothing if the requested commit did not arrive. The files follow: a line of `git
 * ls-tree --long` for each one that exists, an empty line, and for each printed file a line with its size, its content and a newline. Exits
 * with `brokenExitCode` if the commit was fetched but the mirror cannot keep it.
 */
export function fetchAndKeep(fetch: Fetch): Command {
  const { mirror, sha = '', name, refNamespace, print } = fetch
  const printed = [`${print.mostBytes}`, print.names.join(' ')]
  const words = [refNamespace, gitCommand([]).join(' '), describeWords.join(' '), ...printed]
  return withMirrorLock(
    mirror,
    shell(keepScript, 'keep', mirror, sha, `${incoming}/${name}`, ...words, ...fetchWords(fetch)),
  )
}

export const brokenExitCode = 76

function fetchWords({ mirror, address, settings, from, history, maxFileBytes, name }: Fetch): Command {
  const depth = history === 'all' ? wholeHistory : 1
  const to = `${incoming}/${name}/${from.endsWith('*') ? '*' : 'one'}`
  return [
    'prlimit',
    `--fsize=${maxFileBytes}`,
    ...inRepository(mirror, [...fetchSettings, pruneAtOnce, ...settings]),
    ...['fetch', '--progress', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', `--depth=${depth}`],
    ...['--', address, `+${from}:${to}`],
  ]
}

/** Refs of fetched objects before their commit has a ref. Keeping a commit removes all of them, including those of killed fetches. */
const incoming = 'refs/incoming'

/** git's number for unlimited depth; `--unshallow` fails on a mirror that is already complete. */
const wholeHistory = 2 ** 31 - 1

/** git checks every received object; harmless mistakes of old tools are allowed. */
export const fetchSettings = [
  'fetch.fsckObjects=true',
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'badEmail', 'missingEmail', 'badFilemode'].map(
    (fault) => `fetch.fsck.${fault}=ignore`,
  ),
  'submodule.recurse=false',
  streamLargeFiles,
  'gc.autoDetach=false',
]

/** Names and subjects can have any length, so they are cut; shorter ones are padded with spaces. */
const describeWords = [
  ...['log', '--no-walk=unsorted', '--no-show-signature'],
  '--format=%H%x00%<(200,trunc)%an%x00%<(1000,trunc)%s%x00',
] as const

type Upload = {
  readonly mirror: string
  readonly sha: string
  readonly base: string | null
  /** The file that was received; the command writes beside it. */
  readonly pack: string
  readonly mostUnpackedBytes: number
}

/**
 * Prints the commit as `describeCommit` does, and changes nothing in the mirror. Exits with `refusedExitCode` if the pack is not exactly the
 * commit and its new files, and with `baseMissingExitCode` if the mirror does not have the base.
 */
export const checkUpload = (upload: Upload): Command => uploadCommand('check', upload)

/** Checks an upload, and keeps it. Frees the space of forgotten uploads if there are enough of them. */
export const keepUpload = (upload: Upload): Command => uploadCommand('keep', upload)

function uploadCommand(what: 'check' | 'keep', { mirror, sha, base, pack, mostUnpackedBytes }: Upload): Command {
  const git = gitCommand(uploadSettings).join(' ')
  const words = [keptRefs, sentRefs, `${mostUnpackedBytes}`, git, describeWords.join(' ')]
  return withMirrorLock(mirror, shell(uploadScript, 'upload', what, mirror, sha, base ?? '', pack, ...words))
}

/** Each upload is a pack. More than this many are collected into one. */
export const mostPacks = 20

/**
 * Objects that nothing refers to go at once: every process that writes objects holds the lock of the mirror, and refers to them before it
 * releases the lock. By default git would keep them for two weeks, unpacked.
 */
const pruneAtOnce = 'gc.pruneExpire=now'

const uploadSettings = [
  streamLargeFiles,
  'gc.autoDetach=false',
  `gc.autoPackLimit=${mostPacks}`,
  pruneAtOnce,
  'pack.threads=1',
]

/** Frees the space of forgotten uploads. */
export const collectGarbage = (mirror: string): Command =>
  withMirrorLock(mirror, [...inRepository(mirror, uploadSettings), 'gc', '--quiet'])

export const refusedExitCode = 65
export const baseMissingExitCode = 67

const uploadScript = loadScript(import.meta.url, 'keep-upload')

/** Marks kept commits that a user sent, which no git host can give again. */
export const sentRefs = 'refs/uploads'

/** Lists the refs of kept commits and of uploads. */
export const listKept = (mirror: string): Command => [
  ...inRepository(mirror),
  ...['for-each-ref', '--format=%(refname)', '--', keptRefs, sentRefs],
]

/** Reads refs from standard input, as `refsToRemove` writes them. */
export const removeRefs = (mirror: string): Command =>
  withMirrorLock(mirror, [...inRepository(mirror), 'update-ref', '--stdin', '-z'])

const keepScript = loadScript(import.meta.url, 'keep-commit')

/**
 * Runs a command with an exclusive lock on the mirror. The kernel holds the lock, so it is free as soon as its holder is dead. Files of
 * a killed holder are removed first. Exits with `busyExitCode` if the lock is not free in time.
 */
export const withMirrorLock = (mirror: string, command: Command): Command => [
  'flock',
  ...['--no-fork', '--timeout', '600', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...shell(lockScript, 'alone', mirror, ...command),
]

export const busyExitCode = 75

/**
 * Exits with `busyExitCode` if another process changes the mirror. The lock file is removed last: after an interruption the mirror can
 * still be found.
 */
export const removeMirror = (mirror: string): Command => [
  'flock',
  ...['--no-fork', '--nonblock', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...['rm', '-rf', '--', mirror, `${mirror}.lock`],
]

const lockScript = loadScript(import.meta.url, 'alone')

/**
 * Prints its sha, author and subject, each followed by a NUL. Fails if the commit is not kept. The ref is described after it: it points to
 * another commit where submodules were added.
 */
export const describeCommit = (mirror: string, sha: string, refNamespace: RefNamespace = keptRefs): Command => [
  ...inRepository(mirror),
  ...[...describeWords, sha, `${refNamespace}/${sha}`, '--'],
]

/** Prints the commit that the ref points to, and its tree. */
export const findKept = (mirror: string, sha: string): Command => [
  ...inRepository(mirror),
  ...['rev-parse', commitRef(sha), `${commitRef(sha)}^{tree}`],
]

/**
 * Makes the ref of a kept commit point to a commit that has the files of its submodules in their folders, and prints its tree. Reads lines
 * as `submoduleLine` writes them, outer submodules first.
 */
export const addSubmodules = (mirror: string, sha: string): Command =>
  withMirrorLock(mirror, shell(submodulesScript, 'add', mirror, sha, commitRef(sha), gitCommand([]).join(' ')))

export const submoduleLine = ({ sha, path }: { readonly sha: string; readonly path: string }): string =>
  `${sha} ${path}\n`

const submodulesScript = loadScript(import.meta.url, 'add-submodules')

/** Prints the mode and size of the path if it exists, and on the next line the file if it is not too large. */
export function readFile(
  mirror: string,
  sha: string,
  { path, maxBytes, refNamespace = keptRefs }: { path: string; maxBytes: number; refNamespace?: RefNamespace },
): Command {
  return shell(readScript, 'read', `${maxBytes}`, `${refNamespace}/${sha}`, path, ...inRepository(mirror))
}

const readScript = loadScript(import.meta.url, 'read-file')

/** Lists every file of a commit with its size, recursively. */
export const listTree = (mirror: string, sha: string, refNamespace: RefNamespace = keptRefs): Command => [
  ...inRepository(mirror),
  ...['ls-tree', '-r', '-z', '--long', '--full-tree', `${refNamespace}/${sha}`],
]

/**
 * Lists the paths that differ between two kept commits. A renamed file is listed with both of its paths, a submodule as one path: the refs
 * may have the files of submodules, so the commits themselves are compared.
 */
export const listChanges = (mirror: string, { from, to }: { readonly from: string; readonly to: string }): Command => [
  ...inRepository(mirror),
  ...['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', from, to, '--'],
]
