// What the platform needs from the API of a git host. Each host implements it in its own dialect.
import type { CheckRun } from '../../domain/repository/check-run.ts'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import type { HostAccount } from '../../domain/repository/repository-event.ts'

export type HostCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base of the API, with its query. */
  readonly path: string
  readonly body?: unknown
  /** For an answer that is a text and no JSON. */
  readonly accept?: string
}

export type CommitStatus = {
  readonly sha: string
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  /** Identifies the reporter; the same for every state of one environment. */
  readonly context: string
  readonly description: string
  readonly url: string
}

type HostComment = { readonly id: string; readonly text: string }

/** Start of a page in a list: the git host counts pages or entries. */
type PageStart = number

/** The git host's own record of a deployment. */
export type HostDeployment = CommitStatus & {
  readonly environment: string
  readonly environmentUrl: string
  readonly isTransient: boolean
}

type FoundCheckRun = {
  readonly id: string
  readonly externalId: string | null
  readonly hasAnnotations: boolean
}

export type ApiDialect = {
  /** For the host of a repository and its path there, without a trailing slash. */
  baseOf(host: string, repository: string): string
  authorization(token: string): Readonly<Record<string, string>>
  readonly firstPage: PageStart
  listOpen(repository: string, page: PageStart): HostCall
  /** Throws if the response is not a list. */
  readOpen(answer: unknown): readonly ReportedPullRequest[]
  /**
   * Undefined after the last page. A page that is shorter than requested proves nothing where an administrator of the git host can lower
   * the page size: pull requests that are missed would count as closed.
   */
  nextPage(answer: unknown, page: { readonly start: PageStart; readonly length: number }): PageStart | undefined
  setStatus(repository: string, status: CommitStatus): HostCall
  listComments(repository: string, number: number): HostCall
  readComments(answer: unknown): readonly HostComment[]
  createComment(repository: string, number: number, text: string): HostCall
  /** Reads a comment before changing it, for git hosts that require its current version. */
  getComment?(repository: string, number: number, id: string): HostCall
  updateComment(repository: string, number: number, comment: HostComment, present: unknown): HostCall
  readId(answer: unknown): string
  /** For git hosts whose events abbreviate commits. */
  readonly commits?: {
    find(repository: string, sha: string): HostCall
    readHash(answer: unknown): unknown
  }
  /** Asks what an account may do in the repository; undefined if too little is known of the account. */
  getPermission(repository: string, account: HostAccount): HostCall | undefined
  /** Whether the account may push. */
  readPermission(answer: unknown, account: HostAccount): boolean
  /** The ways in which the git host keeps checks of a commit, each with its lists: the first page is 1. A full page has at least 50. */
  readonly checkLists: readonly ((repository: string, sha: string, page: number) => HostCall)[]
  /** An administrator of the git host can lower the page size: only a page without new entries is the last one. */
  readonly hasShortCheckPages?: true
  /** Of one of the responses. Throws if it is none. */
  readChecks(answer: unknown): readonly ReportedCheck[]
  /** Which checks a branch requires, where the git host says so; several calls each say a part of it. */
  readonly required?: {
    list(repository: string, branch: string): readonly HostCall[]
    read(answer: unknown): readonly string[]
  }
  /** For git hosts that have check runs. */
  readonly checkRuns?: {
    /** Those of the commit with this name that the App wrote. */
    find(repository: string, run: Pick<CheckRun, 'sha' | 'name'>, appId: number | undefined): HostCall
    readFound(answer: unknown): readonly FoundCheckRun[]
    create(repository: string, run: CheckRun): HostCall
    update(repository: string, id: string, run: CheckRun): HostCall
  }
  readonly deployments?: {
    create(repository: string, deployment: HostDeployment): HostCall
    setState(repository: string, id: string, deployment: HostDeployment): HostCall
    /** The newest of an environment. */
    listOf(repository: string, environment: string): HostCall
    readIds(answer: unknown): readonly string[]
    setInactive(repository: string, id: string): HostCall
  }
}
