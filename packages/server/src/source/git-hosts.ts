// The APIs of git hosts: lists open pull requests and reports deployments.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import type { Connection } from '../domain/connection.ts'
import type { CheckRun } from '../domain/repository/check-run.ts'
import { OWN_CHECKS, type ReportedCheck } from '../domain/repository/commit-checks.ts'
import { openFactsOf, type ReportedPullRequest } from '../domain/repository/pull-request-facts.ts'
import { isWholeHash, numberOf } from '../domain/repository/reported-values.ts'
import type { HostAccount, PullRequestFacts } from '../domain/repository/repository-event.ts'
import type { WriteAccess } from '../domain/repository/write-access.ts'
import { apiBaseOf } from './git-host/api-base.ts'
import { askWithToken, type RenewableToken } from './git-host/ask-with-token.ts'
import { bitbucket, isBitbucketCloud } from './git-host/bitbucket.ts'
import { bitbucketDataCenter } from './git-host/bitbucket-data-center.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import type { ApiDialect, CommitStatus, HostCall, HostDeployment } from './git-host/dialect.ts'
import { gitea } from './git-host/gitea.ts'
import { github } from './git-host/github.ts'
import { gitlab } from './git-host/gitlab.ts'

export type HostRepository = RenewableToken & {
  readonly host: RepositoryHost
  /** Address of the repository in the project's record. */
  readonly address: string
  /** Says where the API is; without one the address of the repository does. */
  readonly connection?: Pick<Connection, 'type' | 'baseUrl'> & Partial<Pick<Connection, 'app'>>
}

type Comment = {
  readonly number: number
  /** Null until one was written. */
  readonly id: string | null
  /** A part of the text that identifies our comment. */
  readonly marker: string
  readonly text: string
}

type OpenPullRequests = {
  /** Complete: a pull request that is missing here is not open. */
  readonly numbers: ReadonlySet<number>
  /** Only those that the platform can use. */
  readonly facts: readonly PullRequestFacts[]
}

const DIALECTS: Readonly<Record<RepositoryHost, ApiDialect>> = { github, gitlab, gitea, bitbucket }
const MOST_PAGES = 50
/** Of checks of one commit. */
const MOST_CHECK_PAGES = 20
const FULL_PAGE = 50

type CheckList = { readonly list: ApiDialect['checkLists'][number]; readonly sha: string }

export type GitHosts = ReturnType<typeof createGitHosts>

type GitHostsOptions = {
  readonly allowedNetworks: readonly string[]
  /** Replaces the usual base of a host's API. */
  readonly base?: string | undefined
  /** Certificates of authorities, as PEM, in place of those of Node. */
  readonly authorities?: string | undefined
}

export function createGitHosts({ allowedNetworks, base, authorities }: GitHostsOptions) {
  const ask = (repository: HostRepository, call: HostCall, signal?: AbortSignal): Promise<unknown> =>
    askWithToken(repository, (token) => {
      const headers = dialectOf(repository).authorization(token.reveal())
      return callHost(base ?? baseOf(repository), call, { headers, allowedNetworks, authorities, signal })
    })

  return {
    async listOpenPullRequests(repository: HostRepository, signal?: AbortSignal): Promise<OpenPullRequests> {
      const dialect = dialectOf(repository)
      const all = new Map<number, ReportedPullRequest>()
      let start: number | undefined = dialect.firstPage
      for (let count = 0; start !== undefined; count++) {
        if (count === MOST_PAGES) throw new Error(`${repository.address} has more open pull requests than are read`)
        const answer = await ask(repository, dialect.listOpen(pathOf(repository), start), signal)
        const found = dialect.readOpen(answer)
        const event = found.filter((reported) => !all.has(readNumber(reported)))
        for (const pullRequest of event) all.set(readNumber(pullRequest), pullRequest)
        // A page without new entries is a repeated one.
        start = event.length === 0 ? undefined : dialect.nextPage(answer, { start, length: found.length })
      }
      return { numbers: new Set(all.keys()), facts: [...all.values()].flatMap(usableFacts) }
    },

    /** Whether an account may push to the repository. `unknown` where the token may not ask. */
    async findWriteAccess(repository: HostRepository, account: HostAccount): Promise<WriteAccess> {
      const dialect = dialectOf(repository)
      const call = dialect.getPermission(pathOf(repository), account)
      if (!call) return 'unknown'
      try {
        return dialect.readPermission(await ask(repository, call), account) ? 'write' : 'none'
      } catch (error) {
        if (!(error instanceof HostRefused) || error.retryAfterMs > 0) throw error
        if (error.status === 404) return 'none'
        if (error.status === 401 || error.status === 403) return 'unknown'
        throw error
      }
    },

    async setCommitStatus(repository: HostRepository, status: CommitStatus): Promise<void> {
      await ask(repository, dialectOf(repository).setStatus(pathOf(repository), status))
    },

    /** Creates or updates the comment. Returns its id. */
    async writeComment(repository: HostRepository, { number, id, marker, text }: Comment): Promise<string> {
      const dialect = dialectOf(repository)
      const path = pathOf(repository)
      // A process that died after writing it has not stored its id.
      const known = id ?? (await findComment(repository, { number, marker }))
      if (known !== undefined && (await updateComment(repository, { number, id: known, text }))) return known
      return dialect.readId(await ask(repository, dialect.createComment(path, number, text)))
    },

    /** The whole hash of a commit that an event has abbreviated. */
    async findHash(repository: HostRepository, sha: string): Promise<string> {
      if (isWholeHash(sha)) return sha
      const { commits } = dialectOf(repository)
      const found = commits?.readHash(await ask(repository, commits.find(pathOf(repository), sha)))
      if (typeof found === 'string' && isWholeHash(found) && found.startsWith(sha)) return found
      throw new Error(`The git host does not say which commit ${sha} is`)
    },

    /** The checks of a commit: those of other programs and the platform's own. Rejects if there are more than are read. */
    async listChecks(repository: HostRepository, sha: string): Promise<readonly ReportedCheck[]> {
      const checks: ReportedCheck[] = []
      for (const list of dialectOf(repository).checkLists) checks.push(...(await readChecks(repository, { list, sha })))
      return checks
    },

    /** Names of the checks that a branch requires; none where the git host does not say. */
    async listRequiredChecks(repository: HostRepository, branch: string): Promise<readonly string[]> {
      const { required } = dialectOf(repository)
      const names = new Set<string>()
      for (const call of required?.list(pathOf(repository), branch) ?? []) {
        const answer = await ask(repository, call).catch(undefinedIfUnavailable)
        for (const name of required?.read(answer) ?? []) if (!name.startsWith(OWN_CHECKS)) names.add(name)
      }
      return [...names]
    },

    /** Creates or updates the check run. Returns its id. */
    async writeCheckRun(
      repository: HostRepository,
      { id, ...run }: CheckRun & { readonly id: string | null },
    ): Promise<string> {
      const { checkRuns, readId } = checksOf(repository)
      const path = pathOf(repository)
      // A process that died after creating it has not stored its id, or that it has annotations: GitHub would add the same ones again.
      const isLookedUp = id === null || run.annotations.length > 0
      const found = isLookedUp
        ? checkRuns.readFound(await ask(repository, checkRuns.find(path, run, repository.connection?.app?.id)))
        : []
      const known = id ?? found.find(({ externalId }) => externalId === run.externalId)?.id
      if (known === undefined) return readId(await ask(repository, checkRuns.create(path, run)))
      const isAnnotated = found.some((other) => other.id === known && other.hasAnnotations)
      await ask(repository, checkRuns.update(path, known, isAnnotated ? { ...run, annotations: [] } : run))
      return known
    },

    /** Returns the git host's id of the deployment; null if the host does not keep deployments. It has no state yet. */
    async createDeployment(repository: HostRepository, deployment: HostDeployment): Promise<string | null> {
      const { deployments, readId } = dialectOf(repository)
      return deployments ? readId(await ask(repository, deployments.create(pathOf(repository), deployment))) : null
    },

    async setDeploymentState(repository: HostRepository, id: string, deployment: HostDeployment): Promise<void> {
      const { deployments } = dialectOf(repository)
      if (deployments) await ask(repository, deployments.setState(pathOf(repository), id, deployment))
    },

    /** Ends the deployments of an environment that was removed, where the host keeps deployments. */
    async endDeployments(repository: HostRepository, environment: string): Promise<void> {
      const { deployments } = dialectOf(repository)
      if (!deployments) return
      const path = pathOf(repository)
      const ids = deployments.readIds(await ask(repository, deployments.listOf(path, environment)))
      for (const id of ids) await ask(repository, deployments.setInactive(path, id))
    },
  }

  /** All of one list: a red check that is not read would count as none. */
  async function readChecks(repository: HostRepository, { list, sha }: CheckList): Promise<readonly ReportedCheck[]> {
    const dialect = dialectOf(repository)
    const checks: ReportedCheck[] = []
    for (let page = 1; page <= MOST_CHECK_PAGES; page++) {
      const found = dialect.readChecks(await ask(repository, list(pathOf(repository), sha, page)))
      const isRepeated = found.every(({ name }) => checks.some((check) => check.name === name))
      if (isRepeated && dialect.hasShortCheckPages) return checks
      checks.push(...found)
      if (found.length < FULL_PAGE && !dialect.hasShortCheckPages) return checks
    }
    throw new Error(`The commit ${sha} has more checks than are read`)
  }

  /** False if it was deleted at the git host. */
  async function updateComment(
    repository: HostRepository,
    { number, id, text }: { readonly number: number; readonly id: string; readonly text: string },
  ): Promise<boolean> {
    const dialect = dialectOf(repository)
    const path = pathOf(repository)
    try {
      const present = dialect.getComment && (await ask(repository, dialect.getComment(path, number, id)))
      await ask(repository, dialect.updateComment(path, number, { id, text }, present))
      return true
    } catch (error) {
      if (error instanceof HostRefused && error.status === 404) return false
      throw error
    }
  }

  async function findComment(
    repository: HostRepository,
    { number, marker }: { readonly number: number; readonly marker: string },
  ): Promise<string | undefined> {
    const dialect = dialectOf(repository)
    const answer = await ask(repository, dialect.listComments(pathOf(repository), number))
    return dialect.readComments(answer).find(({ text }) => text.includes(marker))?.id
  }
}

/** Only an App may write check runs. */
export const isOfApp = ({ connection }: HostRepository): boolean => connection?.type === 'github_app'

/** Older versions lack the call, and the token may lack the permission. */
function undefinedIfUnavailable(error: unknown): undefined {
  if (!(error instanceof HostRefused) || ![403, 404].includes(error.status) || error.retryAfterMs > 0) throw error
}

function checksOf(repository: HostRepository) {
  const { checkRuns, readId } = dialectOf(repository)
  if (!checkRuns) throw new Error(`${repository.address} is at a git host without check runs`)
  return { checkRuns, readId }
}

/** Base of a git host's API: only at the repository's own host, or where that host is known to have it. */
export const baseOf = (repository: Pick<HostRepository, 'host' | 'address' | 'connection'>): string =>
  repository.connection
    ? apiBaseOf(repository.connection)
    : dialectOf(repository).baseOf(hostOf(repository), pathOf(repository))

/** Bitbucket Data Center shares its name and webhooks with Bitbucket Cloud, but has another API. */
function dialectOf(repository: Pick<HostRepository, 'host' | 'address' | 'connection'>): ApiDialect {
  if (repository.connection?.type === 'bitbucket_server') return bitbucketDataCenter
  if (repository.host !== 'bitbucket' || isBitbucketCloud(hostOf(repository))) return DIALECTS[repository.host]
  return bitbucketDataCenter
}

/** A pull request without a number makes the whole list useless: those missing from it would count as closed. */
function readNumber({ number }: ReportedPullRequest): number {
  const read = numberOf(number)
  if (read === undefined) throw new Error('The git host lists a pull request without a number')
  return read
}

function usableFacts(reported: ReportedPullRequest): readonly PullRequestFacts[] {
  const facts = openFactsOf(reported)
  return typeof facts === 'string' ? [] : [facts]
}

/** As in a URL. The port of https also applies to the API, the port of ssh does not. */
export function hostOf({ address }: Pick<HostRepository, 'address'>): string {
  const { host = '', port, protocol } = parseRepositoryAddress(address) ?? {}
  const name = host.includes(':') ? `[${host}]` : host
  return protocol === 'https' && port ? `${name}:${port}` : name
}

/** `owner/name`, or more levels if the host has groups. */
function pathOf({ address }: Pick<HostRepository, 'address'>): string {
  return (parseRepositoryAddress(address)?.path ?? '').replace(/^\//, '').replace(/\.git$/, '')
}
