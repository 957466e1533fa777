// What the mirrors have of the commit that each project fetched last: a deployment reads it several times.
import type { Commit } from './mirror.ts'

/** Commits with more links than this are not cached. */
const MOST_REMEMBERED_LINKS = 100

export type CommitCache = {
  /** Undefined if the project fetched another commit since. */
  find(projectId: number, sha: string): Commit | undefined
  keep(projectId: number, commit: Commit): void
  /** Undefined if it is not known. `tree` has the submodules of the commit; undefined if it has none. */
  findTree(projectId: number, sha: string): { readonly tree: string | undefined } | undefined
  /** Other submodules may have other links. */
  keepTree(projectId: number, sha: string, tree: string | undefined): void
  /** Lists the links of a commit once, also for those who ask meanwhile. */
  links(projectId: number, sha: string, list: () => Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>>
  forget(projectId: number): void
}

export function createCommitCache(): CommitCache {
  const commits = new Map<number, Commit>()
  const trees = new Map<number, { readonly sha: string; readonly tree: string | undefined }>()
  const links = new Map<number, { readonly sha: string; readonly found: Promise<ReadonlySet<string>> }>()
  return {
    find(projectId, sha) {
      const last = commits.get(projectId)
      return last?.sha === sha ? last : undefined
    },
    keep: (projectId, commit) => void commits.set(projectId, commit),
    findTree(projectId, sha) {
      const last = trees.get(projectId)
      return last?.sha === sha ? last : undefined
    },
    keepTree(projectId, sha, tree) {
      links.delete(projectId)
      trees.set(projectId, { sha, tree })
    },
    links(projectId, sha, list) {
      const last = links.get(projectId)
      if (last?.sha === sha) return last.found
      const found = list()
      const evict = (): void => {
        if (links.get(projectId)?.found === found) links.delete(projectId)
      }
      links.set(projectId, { sha, found })
      found.then((all) => all.size > MOST_REMEMBERED_LINKS && evict(), evict)
      return found
    },
    forget(projectId) {
      commits.delete(projectId)
      trees.delete(projectId)
      links.delete(projectId)
    },
  }
}
