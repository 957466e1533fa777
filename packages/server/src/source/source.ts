// The source of a project: fetches it from its repository, reads it, and copies it to servers.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Branch } from '@shipway/api/values/branch'
import { type ConnectOptions, type Repository, sweepConnections } from './connection.ts'
import { createEarlyFetches } from './early-fetches.ts'
import { readRefs, resolveBranch } from './list-refs.ts'
import { branchNotFound, type Commit, type CommitToFetch } from './mirror.ts'
import { createMirrors } from './mirrors.ts'
import { createServerCopies } from './server-copies.ts'
import { SourceError } from './source-error.ts'
import type { SourceIo } from './source-io.ts'
import type { SubmodulesToFetch } from './submodules.ts'
import { createUploadedCommits } from './uploaded-commits.ts'
import type { WarmConnections } from './warm-connections.ts'

export type Source = ReturnType<typeof createSource>

export type ComparedCommit = {
  readonly branch: string
  /** Some git hosts shorten it. */
  readonly sha: string
  readonly targetBranch: string
  /** Null where nothing is deployed: then its target branch is compared with. */
  readonly deployedSha: string | null
}

/** A connection that is open already goes on working for a while when the git host has forgotten the key. */
type ListIo = SourceIo & { readonly withNewConnection?: boolean }

type SourceOptions = {
  /** A folder of the data folder that nothing else uses. */
  readonly folder: string
  readonly allowedNetworks: readonly string[]
  /** The largest file that a fetch may write; a repository arrives as one file. */
  readonly maxFileBytes?: number
  /** Without them, every call opens a connection. */
  readonly warm?: WarmConnections
  /** A file of certificates that git hosts are trusted by, in place of the system's. */
  readonly authoritiesFile?: string | undefined
}

export function createSource({
  folder,
  allowedNetworks,
  maxFileBytes = 4 * 1024 ** 3,
  warm,
  authoritiesFile,
}: SourceOptions) {
  const mirrors = createMirrors({ folder, maxFileBytes })
  const early = createEarlyFetches()
  const stopper = new AbortController()
  const connections = join(folder, 'connections')
  const optionsOf = ({ onHostKey }: SourceIo): ConnectOptions => ({
    folder: connections,
    allowedNetworks,
    onHostKey,
    warm,
    authoritiesFile,
  })
  const fetch = (repository: Repository, wanted: CommitToFetch, io: SourceIo): Promise<Commit> =>
    mirrors.fetch(repository, wanted, optionsOf(io), io)

  return {
    /** The newest commit of a branch. */
    resolveBranch: (repository: Repository, branch: string, io: SourceIo = {}): Promise<string> =>
      resolveBranch(repository, branch, optionsOf(io), io),

    /** Names of the refs that match a pattern, as the git host has them now. */
    async listRefs(repository: Repository, pattern: string, io: ListIo = {}): Promise<readonly string[]> {
      const options = io.withNewConnection ? { ...optionsOf(io), warm: undefined } : optionsOf(io)
      return [...(await readRefs(repository, pattern, options, io)).keys()]
    },

    /** The commit named, or the newest of the branch, fetched into the mirror. */
    async fetchCommit(repository: Repository, wanted: CommitToFetch, io: SourceIo = {}): Promise<Commit> {
      checkWanted(wanted, repository.address)
      const { projectId, address } = repository
      const isReported = wanted.sha === undefined && wanted.reportedSha !== undefined
      const found =
        isReported && (await early.result({ projectId, address, branch: wanted.branch }, wanted.reportedSha, io.signal))
      return found || fetch(repository, wanted, io)
    },

    /** Prefetches the newest commit of a branch for a deployment that will ask for it, unless too many fetches are running. */
    async fetchEarly(repository: Repository, branch: string, io: Pick<SourceIo, 'onHostKey'>): Promise<void> {
      checkWanted({ branch }, repository.address)
      const { projectId, address } = repository
      await early.start({ projectId, address, branch }, (signal) => fetch(repository, { branch }, { ...io, signal }))
    },

    /** Adds the submodules of a fetched commit to it. Returns those that were not there before. */
    fetchSubmodules: (repository: Repository, wanted: SubmodulesToFetch, io: SourceIo = {}) =>
      mirrors.fetchSubmodules(repository, wanted, optionsOf(io), io),

    /** A file of a fetched commit; undefined where there is none. */
    readFile: mirrors.readFile,

    /** The symbolic links of a fetched commit, relative to its root. Refuses a commit with more files than are checked out. */
    listLinks: mirrors.listLinks,

    /**
     * The files that a branch changes: since it left its target, or since a commit that was deployed. Undefined if the list is too long,
     * or the branch has moved on.
     */
    async listChangedFiles(
      repository: Repository,
      { branch, sha, ...compared }: ComparedCommit,
      io: SourceIo = {},
    ): Promise<readonly string[] | undefined> {
      const isWhole = /^[0-9a-f]{40}$/.test(sha)
      checkWanted({ branch: compared.targetBranch }, repository.address)
      const head = await this.fetchCommit(repository, isWhole ? { sha, branch } : { branch }, io)
      if (!head.sha.startsWith(sha)) return undefined
      const wanted = { branch: compared.targetBranch, sha: head.sha }
      const from = compared.deployedSha ?? (await mirrors.findMergeBase(repository, wanted, optionsOf(io), io))
      if (from === undefined) return undefined
      // Known to be of this repository: it was deployed, or it is in the history of a branch.
      await fetch(repository, { sha: from, isAdmitted: true }, io)
      return mirrors.listChangedFiles(repository.projectId, { from, to: head.sha })
    },

    /** Files of a fetched commit that are named like a compose file. */
    listComposeFiles: mirrors.listComposeFiles,

    /** Those of the paths that are plain files of a fetched commit. */
    findFiles: mirrors.findFiles,

    ...createServerCopies(mirrors),

    ...createUploadedCommits({ folder: join(folder, 'uploads'), mirrors, fetch }),

    /** Projects with a mirror, or a part of one. */
    listMirrors: mirrors.list,

    /** Removes the mirror of a deleted project, unless it is being changed now. */
    async forget(projectId: number): Promise<void> {
      early.forget(projectId)
      await mirrors.forget(projectId)
    },

    /** Ends what no deployment waits for: prefetches, and questions about pull requests. */
    close: (): void => {
      early.close()
      stopper.abort()
    },

    /** Aborted by `close`. */
    closed: stopper.signal,

    /** Removes keys of projects that a killed platform left behind. */
    async sweepKeys(): Promise<void> {
      await mkdir(connections, { recursive: true, mode: 0o700 })
      await sweepConnections(connections)
    },
  }
}

/** Names that git does not allow count as not found and never reach it. */
function checkWanted({ branch, sha }: CommitToFetch, address: string): void {
  if (branch !== undefined && !Branch.safeParse(branch).success) throw branchNotFound(branch, address)
  if (sha !== undefined && !/^[0-9a-f]{40}$/.test(sha)) {
    throw new SourceError('commit_not_found', `${sha} is no full commit sha; give its 40 characters`)
  }
}
