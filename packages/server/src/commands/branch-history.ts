/**
 * The words of git on the history of a repository's branches: all commits and, where the host can leave them out, none of their
 * files. It lies inside the mirror, so that it is changed under the same lock and goes with it.
 */
import type { Command } from './command.ts'
import { guarded, inside } from './git.ts'
import { alone, fetchSettings } from './mirror.ts'
import { loadScript, shell } from './script.ts'

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
    ...shell(findScript, 'find', history, sha, guarded([]).join(' ')),
    ...['prlimit', `--fsize=${maxFileBytes}`, ...inside(history, [...fetchSettings, ...settings])],
    ...['fetch', '--progress', '--prune', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no'],
    ...['--filter=tree:0', '--', address, '+refs/heads/*:refs/heads/*'],
  ])
}

const findScript = loadScript(import.meta.url, 'find-branch')
