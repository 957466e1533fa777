// The words of every git command. A commit is kept as a ref of its own, so that nothing of it is ever tidied away.
import { type Command, shellLine } from './command.ts'

/** Where a commit that was asked for is kept: in the mirror the ref is the commit, on a server it is the commit's tree. */
export const commitRef = (sha: string): string => `refs/shipway/${sha}`

/** Where a branch lands until its commit is known. */
export const incomingRef = (name: string): string => `refs/incoming/${name}`

/** The newest commit of a branch, asked of the host itself. The answer may hold other refs that end in the same words. */
export function listBranch(address: string, branch: string, settings: readonly string[]): Command {
  return ['git', ...guards(settings), 'ls-remote', '--quiet', '--refs', '--', address, `refs/heads/${branch}`]
}

/** The refs of the host that fit a pattern, which may hold stars. */
export function listHostRefs(address: string, pattern: string, settings: readonly string[]): Command {
  return ['git', ...guards(settings), 'ls-remote', '--quiet', '--refs', '--', address, pattern]
}

type Fetch = {
  readonly mirror: string
  readonly address: string
  /** Settings of the connection, as `name=value`. */
  readonly settings: readonly string[]
  readonly from: string
  readonly to: string
  readonly history: 'one commit' | 'all'
  /** A larger file ends the fetch. */
  readonly maxFileBytes: number
}

export function fetchInto({ mirror, address, settings, from, to, history, maxFileBytes }: Fetch): Command {
  const depth = history === 'all' ? wholeHistory : 1
  return [
    'prlimit',
    `--fsize=${maxFileBytes}`,
    ...inside(mirror, [...fetchSettings, ...settings]),
    ...['fetch', '--progress', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', `--depth=${depth}`],
    ...['--', address, `+${from}:${to}`],
  ]
}

/** git's own number for "without end"; `--unshallow` fails on a mirror that is whole already. */
const wholeHistory = 2 ** 31 - 1

/**
 * Whatever changes a mirror does it alone. The lock is the kernel's, so it is free as soon as its holder is dead, however it
 * died; what the dead one left half-done is swept away first. Waiting in vain ends with `busyExitCode`.
 */
export const alone = (mirror: string, command: Command): Command => [
  'flock',
  ...['--no-fork', '--timeout', '600', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...['sh', '-c', aloneScript, 'alone', mirror, ...command],
]

export const busyExitCode = 75

/** Ends with `busyExitCode` where somebody changes the mirror. The lock goes last: what ends half-way leaves a name to find. */
export const removeMirror = (mirror: string): Command => [
  'flock',
  ...['--no-fork', '--nonblock', '--conflict-exit-code', `${busyExitCode}`, `${mirror}.lock`],
  ...['rm', '-rf', '--', mirror, `${mirror}.lock`],
]

const aloneScript = `set -eu
if [ -d "$1/objects/pack" ]; then
  find "$1" -type f \\( -name '*.lock' -o -name '*.keep' -o -name 'tmp_*' \\) -exec rm -f -- {} +
else
  git init --quiet --bare --template= --initial-branch=none -- "$1"
fi
shift
exec "$@"
`

/** Its sha, author and subject, each ended by a NUL. Fails where the commit is not kept. */
export const describeCommit = (mirror: string, ref: string): Command => [
  ...inside(mirror),
  ...['log', '-1', '--no-show-signature', '--format=%H%x00%an%x00%s%x00', ref, '--'],
]

/** Prints one ref when the commit belongs to what was fetched; fails where there is no such commit at all. */
export const refWith = (mirror: string, sha: string, prefix: string): Command => [
  ...inside(mirror),
  ...['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${sha}`, '--', prefix],
]

/** Every kept ref, the newest commit first. */
export const listRefs = (repository: string): Command => [
  ...inside(repository),
  ...['for-each-ref', '--format=%(refname)', '--sort=-creatordate', '--', 'refs/shipway', 'refs/incoming'],
]

/** The changes come on standard input, as `refChanges` writes them, and happen all or none. */
export const changeRefs = (repository: string): Command => [...inside(repository), 'update-ref', '--stdin', '-z']

export function refChanges({ set = {}, remove = [] }: { set?: Record<string, string>; remove?: readonly string[] }) {
  const lines = [
    ...Object.entries(set).map(([ref, value]) => `update ${ref}\0${value}\0\0`),
    ...remove.map((ref) => `delete ${ref}\0\0`),
  ]
  return lines.join('')
}

/** One line for the path, if it is there: mode, type, object and size, then the path. */
export const listFile = (mirror: string, sha: string, path: string): Command => [
  ...inside(mirror),
  ...['--literal-pathspecs', 'ls-tree', '-z', '--long', '--full-tree', commitRef(sha), '--', path],
]

/** Every entry of a commit, its folders opened. */
export const listTree = (mirror: string, sha: string): Command => [
  ...inside(mirror),
  ...['ls-tree', '-r', '-z', '--full-tree', commitRef(sha)],
]

export const readBlob = (mirror: string, object: string): Command => [...inside(mirror), 'cat-file', 'blob', object]

/**
 * The tree alone goes to a server: no history, so nothing there depends on how much of it the mirror has. `word` must be new and
 * unguessable: the server says it when it begins to receive and when it has ended, so that an end can be told from a cut.
 */
export const pushTree = (mirror: string, address: string, { sha, word }: { sha: string; word: string }): Command => [
  ...inside(mirror),
  ...['push', '--progress', '--no-verify', '--recurse-submodules=no'],
  ...[`--receive-pack=${shellLine(['sh', '-c', receiveScript, word])}`, '--'],
  ...[address, `+${commitRef(sha)}^{tree}:${commitRef(sha)}`],
]

/** git adds the path behind the words. */
const receiveScript = 'echo "$0-begun" >&2; git-receive-pack "$1"; code=$?; echo "$0-ended" >&2; exit "$code"'

/** On the server: ends with 0 when the commit is there, with `absentExitCode` after making sure of the repository. */
export const prepareRepository = (repository: string, sha: string): Command => [
  'sh',
  ...['-c', prepareScript, 'prepare', repository, commitRef(sha)],
]

export const absentExitCode = 3

/** On the server: the files of a commit as a folder. Ran before, it does nothing; ended half-way, it starts afresh. */
export const checkOut = (repository: string, sha: string, folder: string): Command => [
  'sh',
  ...['-c', checkOutScript, 'check-out', repository, commitRef(sha), folder],
]

/** On the server: gives back the space of removed commits, when there is enough to be worth it. */
export const tidy = (repository: string): Command => [
  ...inside(repository, ['gc.autoDetach=false', 'gc.autoPackLimit=20', 'gc.pruneExpire=1.hour.ago']),
  ...['gc', '--auto', '--quiet'],
]

function inside(mirror: string, settings: readonly string[] = []): Command {
  return ['git', ...guards(settings), `--git-dir=${mirror}`]
}

function guards(settings: readonly string[]): string[] {
  return [...always, ...settings].flatMap((setting) => ['-c', setting])
}

const always = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'credential.helper=', 'http.followRedirects=false']

/** Every object is checked on its way in; what old tools wrote wrongly but harmlessly is let through. */
const fetchSettings = [
  'fetch.fsckObjects=true',
  ...['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'badEmail', 'missingEmail', 'badFilemode'].map(
    (fault) => `fetch.fsck.${fault}=ignore`,
  ),
  'submodule.recurse=false',
  'gc.autoDetach=false',
]

/** The settings of the machine and of its user could name programs to run on checked-out files: none are read. */
const withoutSettings = `set -eu
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS
`

/** The repository appears by a rename, when it is complete: several commits may be on their way to a new server at once. */
const prepareScript = `${withoutSettings}
if git --git-dir="$1" rev-parse --quiet --verify "$2" >/dev/null 2>&1; then exit 0; fi
if ! [ -e "$1" ]; then
  mkdir -p -- "\${1%/*}"
  own="$1.unfinished.$$"
  rm -rf -- "$own"
  git init --quiet --bare --template= -- "$own"
  git --git-dir="$own" config receive.autogc false
  git --git-dir="$own" config core.hooksPath /dev/null
  mv -T -- "$own" "$1" 2>/dev/null || [ -e "$1" ]
  rm -rf -- "$own"
fi
exit ${absentExitCode}
`

/**
 * The folder appears by a rename, when it is complete. Each run has a folder of its own; whoever comes second finds the name
 * taken, which is as good. The index is kept outside, so that nothing of git is left in the release.
 *
 * Files are laid out as they were committed, since that is what was checked: a `.gitattributes` could have git rewrite them. The
 * file that forbids it appears by a rename too: another check-out may be reading it.
 */
const checkOutScript = `${withoutSettings}
if [ -e "$3" ]; then exit 0; fi
mkdir -p -- "\${3%/*}"
own="$3.unfinished.$$"
attributes="$1/info/attributes"
trap 'rm -rf -- "$own" "$own.index" "$attributes.$$"' EXIT
rm -rf -- "$own" "$own.index"
mkdir -- "$own"
(cd -- "$1" && mkdir -p info)
echo '* -text -ident -filter !working-tree-encoding' >"$attributes.$$"
mv -T -- "$attributes.$$" "$attributes"
export GIT_INDEX_FILE="$own.index"
if git -c core.hooksPath=/dev/null --git-dir="$1" --work-tree="$own" read-tree --reset -u "$2"; then
  mv -T -- "$own" "$3" 2>/dev/null || [ -e "$3" ]
else
  [ -e "$3" ]
fi
rm -rf -- "$3".unfinished.* 2>/dev/null || :
`
