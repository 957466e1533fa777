/**
 * The words of git on the history of a repository's branches: all commits and, where the host can leave them out, none of their
 * files. It lies inside the mirror, so that it is changed under the same lock and goes with it.
 */
import { type Command, shellLine } from './command.ts'
import { guarded, inside } from './git.ts'
import { alone, fetchSettings } from './mirror.ts'

type History = {
  readonly mirror: string
  readonly address: string
  /** Settings of the connection, as `name=value`. */
  readonly settings: readonly string[]
  readonly sha: string
  /** A larger file ends the fetch. */
  readonly maxFileBytes: number
}

/**
 * Fetches what is new of every branch of the host, forgets the branches that are gone there, and prints one that holds the commit;
 * nothing where none does. The first fetch brings the whole history, later ones only what is new.
 */
export function findHoldingBranch({ mirror, address, settings, sha, maxFileBytes }: History): Command {
  const history = `${mirror}/history`
  return alone(mirror, [
    ...(['sh', '-c', findScript, 'find', history, sha] as const),
    ...['prlimit', `--fsize=${maxFileBytes}`, ...inside(history, [...fetchSettings, ...settings])],
    ...['fetch', '--progress', '--prune', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no'],
    ...['--filter=tree:0', '--', address, '+refs/heads/*:refs/heads/*'],
  ])
}

/** git would ask the host for a commit that it misses, and no protocol is allowed to it then: a missing commit is in no branch. */
const findScript = `set -eu
history=$1 sha=$2
shift 2
[ -d "$history/objects/pack" ] || git init --quiet --bare --template= --initial-branch=none -- "$history"
"$@"
export GIT_ALLOW_PROTOCOL=none
${shellLine(guarded([]))} --git-dir="$history" for-each-ref --count=1 --contains="$sha" --format='%(refname)' -- refs/heads 2>/dev/null || true
`
