// The words of git that bring a commit to a server, and of what runs there: a repository with the files of commits, without history.
import { type Command, shellLine } from './command.ts'
import { commitRef, inside, keptRefs, pieceByPiece } from './git.ts'

/**
 * The tree alone goes to a server: no history, so nothing there depends on how much of it the mirror has. `word` must be new and
 * unguessable: the server says it when it begins to receive and when it has ended, so that an end can be told from a cut.
 */
export const pushTree = (mirror: string, address: string, { sha, word }: { sha: string; word: string }): Command => [
  ...inside(mirror, [pieceByPiece, 'pack.windowMemory=128m']),
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
own="$3.unfinished.$$" attributes="$1/info/attributes"
trap 'rm -rf -- "$own" "$own.index" "$attributes.$$"' EXIT
if [ -e "$own" ] || [ -e "$own.index" ]; then rm -rf -- "$own" "$own.index"; fi
mkdir -p -- "$own"
rule='* -text -ident -filter !working-tree-encoding'
if ! { read -r found && ! read -r more; } 2>/dev/null <"$attributes" || [ "$found" != "$rule" ]; then
  (cd -- "$1" && mkdir -p info)
  echo "$rule" >"$attributes.$$"
  mv -T -- "$attributes.$$" "$attributes"
fi
export GIT_INDEX_FILE="$own.index"
if git -c core.hooksPath=/dev/null --git-dir="$1" --work-tree="$own" read-tree --reset -u "$2"; then
  mv -T -- "$own" "$3" 2>/dev/null || [ -e "$3" ]
else
  [ -e "$3" ]
fi
rm -rf -- "$3".unfinished.* 2>/dev/null || :
trap - EXIT
`
