// The APIs of git hosts: lists open pull requests and reports deployments.
import { openFactsOf, type ReportedPullRequest } from '../domain/repository/pull-request-facts.ts'
import { isWholeHash, numberOf } from '../domain/repository/reported-values.ts'
import type { HostAccount, PullRequestFacts } from '../domain/repository/repository-event.ts'
import type { WriteAccess } from '../domain/repository/write-access.ts'
import { askWithToken } from './git-host/ask-with-token.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import { createHostChecks } from './git-host/host-checks.ts'
import { createHostComments } from './git-host/host-comments.ts'
import { createHostDeployments } from './git-host/host-deployments.ts'
import { type AskHost, baseOf, dialectOf, type HostRepository, pathOf } from './git-host/host-repository.ts'

type OpenPullRequests = {
  /** Complete: a pull request that is missing here is not open. */
  readonly numbers: ReadonlySet<number>
  /** Only those that the platform can use. */
  readonly facts: readonly PullRequestFacts[]
}

const MOST_PAGES = 50

export type GitHosts = ReturnType<typeof createGitHosts>

type GitHostsOptions = {
  readonly allowedNetworks: readonly string[]
  /** Replaces the usual base of a host's API. */
  readonly base?: string | undefined
  /** Certificates of authorities, as PEM, in place of those of Node. */
  readonly authorities?: string | undefined
}

export function createGitHosts({ allowedNetworks, base, authorities }: GitHostsOptions) {
  const ask: AskHost = (repository, call, signal) =>
    askWithToken(repository, (token) => {
      const headers = dialectOf(repository).authorization(token.reveal())
      return callHost(base ?? baseOf(repository), call, { headers, allowedNetworks, authorities, signal })
    })

  return {
    ...createHostComments(ask),
    ...createHostChecks(ask),
    ...createHostDeployments(ask),

    async listOpenPullRequests(repository: HostRepository, signal?: AbortSignal): Promise<OpenPullRequests> {
      const dialect = dialectOf(repository)
      const all = new Map<number, ReportedPullRequest>()
      let start: number | undefined = dialect.firstPage
      for (let count = 0; start !== undefined; count++) {
        if (count === MOST_PAGES) throw new Error(`${repository.address} has more open pull requests than are read`)
        const answer = await ask(repository, dialect.listOpen(pathOf(repository), start), signal)
        const found = dialect.readOpen(answer)
        const fresh = found.filter((reported) => !all.has(readNumber(reported)))
        for (const pullRequest of fresh) all.set(readNumber(pullRequest), pullRequest)
        // A page without new entries is a repeated one.
        start = fresh.length === 0 ? undefined : dialect.nextPage(answer, { start, length: found.length })
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

    /** The whole hash of a commit that an event has abbreviated. */
    async findHash(repository: HostRepository, sha: string): Promise<string> {
      if (isWholeHash(sha)) return sha
      const { commits } = dialectOf(repository)
      const found = commits?.readHash(await ask(repository, commits.find(pathOf(repository), sha)))
      if (typeof found === 'string' && isWholeHash(found) && found.startsWith(sha)) return found
      throw new Error(`The git host does not say which commit ${sha} is`)
    },
  }
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
