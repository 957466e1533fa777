// What the platform asks of the API of a git host, in words that every host has its own for.
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'

export type HostCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Beneath the base of the API, with its query. */
  readonly path: string
  readonly body?: unknown
}

export type CommitStatus = {
  readonly sha: string
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  /** Names what reports; the same for every state of one environment. */
  readonly context: string
  readonly description: string
  readonly url: string
}

type HostComment = { readonly id: string; readonly text: string }

/** Where a page of a list begins, as the git host counts: by pages or by entries. */
type PageStart = number

/** A deployment as the git host keeps it beside ours. */
export type HostDeployment = CommitStatus & {
  readonly environment: string
  readonly environmentUrl: string
  readonly isTransient: boolean
}

export type ApiDialect = {
  /** For the host of a repository and its path there, without a slash at the end. */
  baseOf(host: string, repository: string): string
  authorization(token: string): Readonly<Record<string, string>>
  readonly firstPage: PageStart
  listOpen(repository: string, page: PageStart): HostCall
  /** Throws where the answer is no list. */
  readOpen(answer: unknown): readonly ReportedPullRequest[]
  /**
   * Undefined where this page was the last. A page that is shorter than was asked for proves nothing where an administrator of the
   * git host can lower its length: whatever is missed would count as closed.
   */
  nextPage(answer: unknown, page: { readonly start: PageStart; readonly length: number }): PageStart | undefined
  setStatus(repository: string, status: CommitStatus): HostCall
  listComments(repository: string, number: number): HostCall
  readComments(answer: unknown): readonly HostComment[]
  createComment(repository: string, number: number, text: string): HostCall
  /** What to ask before a comment is changed, where the git host wants to hear how it stands. */
  getComment?(repository: string, number: number, id: string): HostCall
  updateComment(repository: string, number: number, comment: HostComment, present: unknown): HostCall
  readId(answer: unknown): string
  readonly deployments?: {
    create(repository: string, deployment: HostDeployment): HostCall
    setState(repository: string, id: string, deployment: HostDeployment): HostCall
  }
}
