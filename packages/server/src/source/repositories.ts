// Checks of repositories outside of a task: whether the platform can read one, and what deployments will find there.
import type { Recipe } from '@shipway/api/values/recipe'
import type { HostAccount } from '../domain/repository/repository-event.ts'
import type { RepositoryFindings } from '../domain/repository/repository-findings.ts'
import type { WriteAccess } from '../domain/repository/write-access.ts'
import { createCheckLimit } from '../remote/set-up/check-limit.ts'
import { limitConcurrency } from '../scheduling/limit-concurrency.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from './connection.ts'
import { readConfigFile } from './files/read-config-file.ts'
import { type ReadRules, readRulesFile } from './files/read-rules-file.ts'
import type { HostRepository } from './git-host/host-repository.ts'
import type { GitHosts } from './git-hosts.ts'
import { type InspectOptions, inspectRepository } from './inspect-repository.ts'
import { limitUploads, type UploadingProject } from './limit-uploads.ts'
import { probeRepository } from './probe-repository.ts'
import type { ComparedCommit, Source } from './source.ts'
import { SourceError } from './source-error.ts'
import type { SourceIo } from './source-io.ts'
import type { ReceivedUpload } from './uploaded-commits.ts'
import type { UploadedCommit } from './uploads.ts'

export type Repositories = {
  /** Throws TooManyChecks. A repository that cannot be read is a finding, not an error. */
  inspect(
    repository: LockedRepository,
    options: Omit<InspectOptions, 'deadlineMs'> & { readonly organizationId: number },
  ): Promise<RepositoryFindings>
  /** Proves that the repository can be read: undefined, or why not and what to do. */
  probe(
    repository: LockedRepository,
    options: Pick<InspectOptions, 'branch' | 'onHostKey'>,
  ): Promise<{ readonly message: string; readonly fix: string | null } | undefined>
  /** Prefetches a commit for a deployment. Rejects as the fetch does; the deployment tries again and reports the error. */
  fetchEarly(repository: LockedRepository, branch: string, io: HostKeyIo): Promise<void>
  /** The rules about pull requests in the newest `.service.yml` of a branch. Rejects as the fetch does. */
  readRules(repository: LockedRepository, branch: string, io: HostKeyIo): Promise<RulesOfBranch>
  /** Throws a RepositoryConfigFault for a `.service.yml` of a project's settings that no deployment could use, or TooManyChecks. */
  checkServiceFile(organizationId: number, file: { readonly content: string; readonly recipe: Recipe }): Promise<void>
  /** The files that a pull request changes; undefined if the list is too long. Rejects as the fetch does. */
  listChangedFiles(
    repository: LockedRepository,
    compared: ComparedCommit,
    io: HostKeyIo,
  ): Promise<readonly string[] | undefined>
  /** Which of these commits an upload can build on. */
  findUploadBase(repository: LockedRepository, commits: readonly string[], io: HostKeyIo): Promise<string | undefined>
  /** Receives a pack and checks it, then `use` stores the file. Throws a SourceError, or UploadInProgress. */
  receiveUpload<Result>(
    project: UploadingProject,
    uploaded: UploadedCommit,
    pack: AsyncIterable<Uint8Array>,
    use: (received: ReceivedUpload) => Promise<Result>,
  ): Promise<Result>
  /** What the API of the git host says. Rejects where it does not answer. */
  findWriteAccess(repository: HostRepository, account: HostAccount): Promise<WriteAccess>
}

type HostKeyIo = Pick<SourceIo, 'onHostKey'>
type RulesOfBranch = { readonly sha: string; readonly read: ReadRules }

/** Decrypts its key only when a check may run. */
type LockedRepository = Omit<Repository, 'privateKey'> & { readonly openKey: () => Secret }

const DEADLINE_MS = 60_000

/** Pull requests wait for these; a repository that is slower is read by the deployment alone. */
const RULES_DEADLINE_MS = 20_000
const MOST_CONFIG_BYTES = 256 * 1024
/** Limits what a flood of deliveries of many projects can start. */
const RULES_AT_ONCE = 6
const MOST_QUEUED_RULES = 200

export function createRepositories(
  source: Pick<
    Source,
    | 'listRefs'
    | 'fetchCommit'
    | 'readFile'
    | 'listComposeFiles'
    | 'fetchEarly'
    | 'listChangedFiles'
    | 'closed'
    | 'findUploadBase'
    | 'receiveUpload'
  >,
  gitHosts: Pick<GitHosts, 'findWriteAccess'>,
): Repositories {
  const inTurn = createCheckLimit('repositories')
  const filesInTurn = createCheckLimit('service files')
  const rulesInTurn = limitConcurrency({ concurrency: RULES_AT_ONCE, maxQueued: MOST_QUEUED_RULES })
  const inUploadLimit = limitUploads()
  const deadline = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(RULES_DEADLINE_MS), source.closed])
  return {
    inspect: ({ openKey, ...repository }, { organizationId, ...options }) =>
      inTurn(organizationId, () =>
        inspectRepository(source, { ...repository, privateKey: openKey() }, { ...options, deadlineMs: DEADLINE_MS }),
      ),
    probe: async ({ openKey, ...repository }, options) => {
      const opened = { ...repository, privateKey: openKey() }
      return probeRepository(source, opened, { ...options, deadlineMs: DEADLINE_MS })
    },
    fetchEarly: async ({ openKey, ...repository }, branch, io) =>
      source.fetchEarly({ ...repository, privateKey: openKey() }, branch, io),
    readRules: ({ openKey, ...repository }, branch, io) =>
      rulesInTurn(async () => {
        const wanted = { ...repository, privateKey: openKey() }
        const { sha } = await source.fetchCommit(wanted, { branch }, { ...io, signal: deadline() })
        const file = { path: '.service.yml', maxBytes: MOST_CONFIG_BYTES }
        const content = await source.readFile(repository.projectId, sha, file).catch(asFault)
        return { sha, read: content === undefined ? {} : 'fault' in content ? content : await readRulesFile(content) }
      }),
    checkServiceFile: (organizationId, { content, recipe }) =>
      filesInTurn(organizationId, async () => {
        await readConfigFile({ content: Buffer.from(content), recipe, origin: 'settings' })
      }),
    listChangedFiles: ({ openKey, ...repository }, compared, io) =>
      rulesInTurn(async () =>
        source.listChangedFiles({ ...repository, privateKey: openKey() }, compared, { ...io, signal: deadline() }),
      ),
    findUploadBase: async ({ openKey, ...repository }, commits, io) =>
      source.findUploadBase({ ...repository, privateKey: openKey() }, commits, {
        ...io,
        signal: AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), source.closed]),
      }),
    receiveUpload: (project, uploaded, pack, use) =>
      inUploadLimit(project, () => source.receiveUpload(project.projectId, uploaded, pack, use)),
    findWriteAccess: gitHosts.findWriteAccess,
  }
}

/** An entry that is no file, or too large a one, is a fault of the repository. */
function asFault(error: unknown): { readonly fault: string } {
  if (error instanceof SourceError) return { fault: error.message }
  throw error
}
