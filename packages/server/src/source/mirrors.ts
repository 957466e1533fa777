// The mirrors of all projects.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MOST_SUBMODULES_BYTES, SUBMODULES_FILE } from '@shipway/rules/submodules/read-submodules'
import { createSerializer } from '../scheduling/serialize.ts'
import { demandBranch } from './branch-check.ts'
import { findMergeBaseAt, listChangedFilesAt } from './changed-files.ts'
import { createCommitCache } from './commit-cache.ts'
import { type Connection, type ConnectOptions, connect, type Repository } from './connection.ts'
import { findFilesAt, listComposeFilesAt, listLinksAt } from './list-links.ts'
import { type Commit, type CommitToFetch, fetchIntoMirror, findCommit, forgetMirror, hasRef } from './mirror.ts'
import { createPrefetchedFiles } from './prefetched-files.ts'
import { readFileAt } from './read-file.ts'
import type { GitIo } from './run-git.ts'
import { type FetchedSubmodule, fetchSubmodules, findWholeTree, type SubmodulesToFetch } from './submodules.ts'
import {
  checkUploadIn,
  collectGarbageIn,
  findKept,
  forgetUploadsIn,
  keepUploadIn,
  type ListStored,
  type UploadedCommit,
} from './uploads.ts'

type MirrorOptions = { readonly folder: string; readonly maxFileBytes: number }
type PackToKeep = UploadedCommit & { readonly pack: string; readonly listStored: ListStored }
type CommitFile = { readonly path: string; readonly maxBytes: number }

export type Mirrors = ReturnType<typeof createMirrors>

export function createMirrors({ folder, maxFileBytes }: MirrorOptions) {
  /** One fetch at a time for each project, so that the second finds what the first has fetched. */
  const fetches = createSerializer()
  const lastCommits = createCommitCache()
  const usualFiles = createPrefetchedFiles()
  const pathOf = (projectId: number): string => join(folder, `${projectId}.git`)

  const findFetched = async (projectId: number, sha: string | undefined): Promise<Commit | undefined> => {
    if (sha === undefined) return undefined
    const last = lastCommits.find(projectId, sha)
    if (last && (await hasRef(pathOf(projectId), sha))) return last
    return findCommit(pathOf(projectId), sha)
  }

  const readFile = async (projectId: number, sha: string, file: CommitFile): Promise<Buffer | undefined> => {
    const known = usualFiles.find(projectId, sha, file)
    return known ? known.content : readFileAt(pathOf(projectId), { sha, ...file })
  }

  return {
    pathOf,

    /** An admitted commit in the mirror needs no connection. Any other must be in a branch of the git host. */
    fetch(repository: Repository, wanted: CommitToFetch, options: ConnectOptions, io: GitIo): Promise<Commit> {
      const { projectId } = repository
      const mirror = pathOf(projectId)
      const work = async (): Promise<Commit> => {
        const fetched = await findFetched(projectId, wanted.sha)
        const fetchAndCheck = async (connection: Connection): Promise<Commit> => {
          const fetching = { connection, maxFileBytes, io }
          if (wanted.sha !== undefined && !wanted.isAdmitted) await demandBranch(mirror, wanted.sha, fetching)
          if (fetched) return fetched
          const { commit, files } = await fetchIntoMirror(mirror, wanted, fetching)
          usualFiles.keep(projectId, commit.sha, files)
          return commit
        }
        const commit = fetched && wanted.isAdmitted ? fetched : await connect(repository, options, fetchAndCheck)
        lastCommits.keep(projectId, commit)
        return commit
      }
      return fetches.run(projectId, work, io.signal)
    },

    readFile,

    /** Adds the submodules of a fetched commit to it. Returns those that were not there before. */
    fetchSubmodules(
      repository: Repository,
      wanted: SubmodulesToFetch,
      options: ConnectOptions,
      io: GitIo,
    ): Promise<readonly FetchedSubmodule[]> {
      const { projectId } = repository
      const { sha } = wanted
      const mirror = pathOf(projectId)
      const work = async (): Promise<readonly FetchedSubmodule[]> => {
        if (lastCommits.findTree(projectId, sha) && (await hasRef(mirror, sha))) return []
        const file = { path: SUBMODULES_FILE, maxBytes: MOST_SUBMODULES_BYTES }
        const hasAny = (await readFile(projectId, sha, file)) !== undefined
        const known = hasAny ? await findWholeTree(mirror, sha) : undefined
        const fetching = { ...wanted, mirror, repository, mostBytes: maxFileBytes, options, io }
        const { fetched, tree } =
          hasAny && known === undefined ? await fetchSubmodules(fetching) : { fetched: [], tree: known }
        lastCommits.keepTree(projectId, sha, tree)
        return fetched
      }
      return fetches.run(projectId, work, io.signal)
    },

    /** The tree that servers must have for a commit; undefined if it has no submodules. */
    async findWholeTree(projectId: number, sha: string): Promise<string | undefined> {
      const last = lastCommits.findTree(projectId, sha)
      return last ? last.tree : findWholeTree(pathOf(projectId), sha)
    },

    /** Checks a pack that a user sent. */
    checkUpload: (projectId: number, uploaded: UploadedCommit, pack: string): Promise<Commit> =>
      fetches.run(projectId, () => checkUploadIn(pathOf(projectId), uploaded, { pack })),

    /** Keeps the commit of a stored pack, in place of uploads that are not stored any more. */
    keepUpload(projectId: number, { pack, listStored, ...uploaded }: PackToKeep): Promise<void> {
      return fetches.run(projectId, async () => {
        await forgetUploadsIn(pathOf(projectId), listStored)
        lastCommits.keep(projectId, await keepUploadIn(pathOf(projectId), uploaded, { pack }))
      })
    },

    findCommit: findFetched,

    /** The first of these commits that the mirror has from the repository itself. */
    findKept: (projectId: number, commits: readonly string[]) => findKept(pathOf(projectId), commits),

    /** Removes uploads that are not stored any more, and frees their space. */
    forgetUploads(projectId: number, listStored: ListStored): Promise<void> {
      return fetches.run(projectId, async () => {
        if (await forgetUploadsIn(pathOf(projectId), listStored)) await collectGarbageIn(pathOf(projectId))
      })
    },

    listLinks: (projectId: number, sha: string): Promise<ReadonlySet<string>> =>
      lastCommits.links(projectId, sha, () => listLinksAt(pathOf(projectId), sha)),

    /** Undefined if there are too many. Both commits were fetched. */
    listChangedFiles: (projectId: number, commits: { readonly from: string; readonly to: string }) =>
      listChangedFilesAt(pathOf(projectId), commits),

    /** Where a commit left a branch of the git host; undefined if they have nothing in common. */
    findMergeBase(
      repository: Repository,
      wanted: { readonly branch: string; readonly sha: string },
      options: ConnectOptions,
      io: GitIo,
    ): Promise<string | undefined> {
      const { projectId } = repository
      const work = () =>
        connect(repository, options, (connection) =>
          findMergeBaseAt(pathOf(projectId), wanted, { connection, maxFileBytes, io }),
        )
      return fetches.run(projectId, work, io.signal)
    },

    listComposeFiles: (projectId: number, sha: string): Promise<readonly string[]> =>
      listComposeFilesAt(pathOf(projectId), sha),

    findFiles: (projectId: number, sha: string, paths: ReadonlySet<string>): Promise<ReadonlySet<string>> =>
      findFilesAt(pathOf(projectId), sha, paths),

    /** Projects with a mirror, or a part of one. */
    async list(): Promise<readonly number[]> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const names = await readdir(folder)
      return [...new Set(names.flatMap((name) => /^(\d+)\.git(?:\.lock)?$/.exec(name)?.[1] ?? []).map(Number))]
    },

    /** Removes the mirror of a deleted project, unless it is being changed now. */
    forget(projectId: number): Promise<void> {
      return fetches.run(projectId, () => {
        lastCommits.forget(projectId)
        usualFiles.forget(projectId)
        return forgetMirror(pathOf(projectId))
      })
    },
  }
}
