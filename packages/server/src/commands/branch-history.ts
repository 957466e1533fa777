/**
 * Git commands for the history of a repository's branches: all commits and, if the host can leave them out, none of their files. The
 * history is inside the mirror, so that it shares the mirror's lock and is removed with it.
 */
import type { Command } from './command.ts'
import { gitCommand, inRepository } from './git.ts'
import { fetchSettings, withMirrorLock } from './mirror.ts'
import { loadScript, shell } from './script.ts'

type History = {
  readonly mirror: string
  readonly address: string
  /** Settings of the connection, as `name=value`. */
  readonly settings: readonly string[]
  readonly sha: string
  /** A larger file aborts the fetch. */
  readonly maxFileBytes: number
}

/**
 * Fetches all branches of the host, drops the branches that are gone there, and prints one that contains the commit, or nothing. The first
 * fetch brings the whole history, later ones only what is new.
 */
export const findHoldingBranch = (history: History): Command => queryHistory(history, findScript, [history.sha])

/** Fetches all branches of the host, and prints the newest commit that the branch and the commit have in common, or nothing. */
export const findMergeBase = ({ branch, ...history }: History & { readonly branch: string }): Command =>
  queryHistory(history, mergeBaseScript, [history.sha, branch])

function queryHistory({ mirror, address, settings, maxFileBytes }: History, script: string, words: Command): Command {
  const history = `${mirror}/history`
  return withMirrorLock(mirror, [
    ...shell(script, 'query', history, ...words, gitCommand([]).join(' ')),
    ...['prlimit', `--fsize=${maxFileBytes}`, ...inRepository(history, [...fetchSettings, ...settings])],
    ...['fetch', '--progress', '--prune', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no'],
    ...['--filter=tree:0', '--', address, '+refs/heads/*:refs/heads/*'],
  ])
}

const findScript = loadScript(import.meta.url, 'find-branch')
const mergeBaseScript = loadScript(import.meta.url, 'merge-base')
