// The source of a project: found and fetched from its repository, read, and brought to the servers.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Branch } from '@shipway/api/values/branch'
import { listBranch, listHostRefs } from '../commands/git.ts'
import type { Host } from '../remote/host.ts'
import { createSerializer } from '../scheduling/serialize.ts'
import { demandBranch } from './branch-check.ts'
import { type Connection, type ConnectOptions, connect, type Repository, sweepConnections } from './connection.ts'
import { createEarlyFetches } from './early-fetches.ts'
import { listLinksAt } from './list-links.ts'
import {
  branchNotFound,
  type Commit,
  type CommitToFetch,
  fetchIntoMirror,
  findCommit,
  forgetMirror,
  hasRef,
} from './mirror.ts'
import { readFileAt } from './read-file.ts'
import { type GitIo, runGit } from './run-git.ts'
import { checkOutOnServer, pushToServer, removeFromServer } from './server-copy.ts'
import { SourceError } from './source-error.ts'
import { createUsualFiles } from './usual-files.ts'
import type { WarmConnections } from './warm-connections.ts'

export type Source = ReturnType<typeof createSource>

export type SourceIo = GitIo & Pick<ConnectOptions, 'onHostKey'>

type SourceOptions = {
  /** Of the data folder, for this alone. */
  readonly folder: string
  readonly allowedNetworks: readonly string[]
  /** The largest file that a fetch may write; a repository arrives as one file. */
  readonly maxFileBytes?: number
  /** Left out, every call connects anew. */
  readonly warm?: WarmConnections
}

export function createSource({ folder, allowedNetworks, maxFileBytes = 4 * 1024 ** 3, warm }: SourceOptions) {
  /** One after the other for each project, so that the second finds what the first has fetched. */
  const turns = createSerializer()
  /** One after the other for each repository on a server, likewise. */
  const pushes = createSerializer<string>()
  /** Of each project: what was fetched or found last. A deployment asks for its commit several times. */
  const newest = new Map<number, Commit>()
  /** Of each project: the links of the commit that was listed last. A deployment asks for them twice. */
  const listed = new Map<number, { readonly sha: string; readonly links: Promise<ReadonlySet<string>> }>()
  const usual = createUsualFiles()
  const early = createEarlyFetches()
  const mirrorOf = (projectId: number): string => join(folder, `${projectId}.git`)
  const connections = join(folder, 'connections')
  const optionsOf = ({ onHostKey }: SourceIo): ConnectOptions => ({
    folder: connections,
    allowedNetworks,
    onHostKey,
    warm,
  })

  const listLinks = (projectId: number, sha: string): Promise<ReadonlySet<string>> => {
    const last = listed.get(projectId)
    if (last?.sha === sha) return last.links
    const forget = (): void => {
      if (listed.get(projectId)?.links === links) listed.delete(projectId)
    }
    const links = listLinksAt(mirrorOf(projectId), sha)
    listed.set(projectId, { sha, links })
    links.then((found) => found.size > MOST_REMEMBERED && forget(), forget)
    return links
  }

  const fetch = (repository: Repository, wanted: CommitToFetch, io: SourceIo): Promise<Commit> => {
    const { projectId } = repository
    const mirror = mirrorOf(projectId)
    const work = async (): Promise<Commit> => {
      const last = newest.get(projectId)
      const isLast = last && last.sha === wanted.sha && (await hasRef(mirror, last.sha))
      const kept = isLast ? last : wanted.sha && (await findCommit(mirror, wanted.sha))
      const fetchAndCheck = async (connection: Connection): Promise<Commit> => {
        const options = { connection, maxFileBytes, io }
        if (wanted.sha !== undefined && !wanted.isAdmitted) await demandBranch(mirror, wanted.sha, options)
        if (kept) return kept
        const { commit, files } = await fetchIntoMirror(mirror, wanted, options)
        usual.keep(projectId, commit.sha, files)
        return commit
      }
      const commit = kept && wanted.isAdmitted ? kept : await connect(repository, optionsOf(io), fetchAndCheck)
      newest.set(projectId, commit)
      return commit
    }
    return turns.take(projectId, work, io.signal)
  }

  return {
    /** The newest commit of a branch. */
    async resolveBranch(repository: Repository, branch: string, io: SourceIo = {}): Promise<string> {
      if (!Branch.safeParse(branch).success) throw branchNotFound(branch, repository.address)
      const { stdout } = await connect(repository, optionsOf(io), (connection) =>
        runGit(listBranch(repository.address, branch, connection.settings), connection, io),
      )
      const lines = stdout
        .toString()
        .split('\n')
        .map((line) => line.split('\t'))
      const [sha] = lines.find(([, ref]) => ref === `refs/heads/${branch}`) ?? []
      if (!sha) throw branchNotFound(branch, repository.address)
      return sha
    },

    /** The names of the refs that fit a pattern, as the git host has them now. */
    async listRefs(repository: Repository, pattern: string, io: SourceIo = {}): Promise<readonly string[]> {
      const { stdout } = await connect(repository, optionsOf(io), (connection) =>
        runGit(listHostRefs(repository.address, pattern, connection.settings), connection, io),
      )
      return stdout
        .toString()
        .split('\n')
        .flatMap((line) => line.split('\t')[1] ?? [])
    },

    /** The commit named, or the newest of the branch, kept in the mirror. One that is admitted and kept needs no connection. */
    async fetchCommit(repository: Repository, wanted: CommitToFetch, io: SourceIo = {}): Promise<Commit> {
      checkWanted(wanted, repository.address)
      const { projectId, address } = repository
      const isTold = wanted.sha === undefined && wanted.toldSha !== undefined
      const found =
        isTold && (await early.take({ projectId, address, branch: wanted.branch }, wanted.toldSha, io.signal))
      return found || fetch(repository, wanted, io)
    },

    /** Fetches the newest commit of a branch for a deployment that will ask for it, unless too much is fetched at the moment. */
    async fetchEarly(repository: Repository, branch: string, io: Pick<SourceIo, 'onHostKey'>): Promise<void> {
      checkWanted({ branch }, repository.address)
      const { projectId, address } = repository
      await early.begin({ projectId, address, branch }, (signal) => fetch(repository, { branch }, { ...io, signal }))
    },

    /** A file of a commit that was fetched; undefined where there is none. */
    async readFile(projectId: number, sha: string, file: { readonly path: string; readonly maxBytes: number }) {
      const known = usual.find(projectId, sha, file)
      return known ? known.content : readFileAt(mirrorOf(projectId), { sha, ...file })
    },

    /** The symbolic links of a commit that was fetched, relative to its root. Refuses one with more files than are laid out. */
    listLinks,

    /**
     * Sends a commit that was fetched to a repository on a server, which is made where it is missing. Refuses one with more files
     * than are laid out: there, nobody would stop at any number.
     */
    async pushCommit(
      what: { readonly projectId: number; readonly sha: string; readonly host: Host; readonly repository: string },
      io: GitIo = {},
    ) {
      const { projectId, ...rest } = what
      const check = () => listLinks(projectId, rest.sha)
      const push = () => pushToServer({ mirror: mirrorOf(projectId), check, ...rest }, io)
      return pushes.take(`${rest.host.name} ${rest.repository}`, push, io.signal)
    },

    /** Lays a commit out as a folder on the server. */
    checkout(
      what: { readonly host: Host; readonly repository: string; readonly sha: string; readonly folder: string },
      io: GitIo = {},
    ) {
      return checkOutOnServer(what, io)
    },

    /** Lets go of every commit on the server but those that `keep` names when it is asked. */
    removeCommits(what: {
      readonly host: Host
      readonly repository: string
      readonly keep: () => Promise<readonly string[]>
    }) {
      return removeFromServer(what, what.keep)
    },

    /** The projects that have a mirror, or something of one. */
    async listMirrors(): Promise<readonly number[]> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const names = await readdir(folder)
      return [...new Set(names.flatMap((name) => /^(\d+)\.git(?:\.lock)?$/.exec(name)?.[1] ?? []).map(Number))]
    },

    /** Removes the mirror of a project that is gone. One that somebody changes at the moment stays for now. */
    forget(projectId: number): Promise<void> {
      return turns.take(projectId, () => {
        newest.delete(projectId)
        listed.delete(projectId)
        usual.forget(projectId)
        early.forget(projectId)
        return forgetMirror(mirrorOf(projectId))
      })
    },

    /** Ends what nobody waits for. */
    close: early.close,

    /** Removes what calls of a platform that was killed have left: keys of projects. */
    async sweepKeys(): Promise<void> {
      await mkdir(connections, { recursive: true, mode: 0o700 })
      await sweepConnections(connections)
    },
  }
}

/** Paths of links; hardly any commit has more. */
const MOST_REMEMBERED = 100

/** Names that git cannot have are not found, and never reach it. */
function checkWanted({ branch, sha }: CommitToFetch, address: string): void {
  if (branch !== undefined && !Branch.safeParse(branch).success) throw branchNotFound(branch, address)
  if (sha !== undefined && !/^[0-9a-f]{40}$/.test(sha)) {
    throw new SourceError('commit_not_found', `${sha} is no full commit sha; give its 40 characters`)
  }
}
