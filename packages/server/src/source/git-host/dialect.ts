// What the platform asks of the API of a git host, in words that every host has its own for.
import type { PullRequestFacts } from '../../domain/repository-event.ts'

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

/** A deployment as the git host keeps it beside ours. */
export type HostDeployment = CommitStatus & {
  readonly environment: string
  readonly environmentUrl: string
  readonly isTransient: boolean
}

export type ApiDialect = {
  /** For the host of a repository, without a slash at the end. */
  baseOf(host: string): string
  authorization(token: string): Readonly<Record<string, string>>
  /** How many a page has; a shorter one is the last. */
  readonly pageSize: number
  listOpen(repository: string, page: number): HostCall
  readOpen(answer: unknown): readonly PullRequestFacts[]
  setStatus(repository: string, status: CommitStatus): HostCall
  listComments(repository: string, number: number): HostCall
  readComments(answer: unknown): readonly HostComment[]
  createComment(repository: string, number: number, text: string): HostCall
  updateComment(repository: string, number: number, comment: HostComment): HostCall
  readId(answer: unknown): string
  readonly deployments?: {
    create(repository: string, deployment: HostDeployment): HostCall
    setState(repository: string, id: string, deployment: HostDeployment): HostCall
  }
}
