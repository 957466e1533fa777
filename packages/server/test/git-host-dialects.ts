// The same news in the dialect of every git host, signed as that host signs, for tests of what holds for all of them.
import { randomUUID } from 'node:crypto'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { hmac, NONE, SECRET } from './git-host-events.ts'
import type { TestAnswer, TestApp } from './test-app.ts'

type Headers = Readonly<Record<string, string>>
type HostEvent = { readonly event: string; readonly payload: object }

export type TestRepository = { readonly id?: unknown; readonly full_name?: string; readonly fork?: boolean }

type PushEvent = {
  readonly branch: string
  readonly sha: string
  readonly repositoryId?: unknown
}

type PullRequestEvent = {
  readonly action?: 'opened' | 'updated' | 'closed'
  readonly number?: unknown
  readonly branch?: string
  readonly target?: string
  readonly sha?: string
  readonly title?: string
  readonly author?: string
  readonly url?: string
  /** The repository of the branch; null where it is gone. */
  readonly head?: TestRepository | null
  readonly repositoryId?: unknown
  /** Seconds after an hour of no importance. */
  readonly at?: number
}

export type TestDialect = {
  readonly name: string
  readonly repository_host: RepositoryHost
  /** Where the signature stands. */
  readonly signatureHeader: string
  /** What stands there for a signature in hex, or for the secret where that is sent itself. */
  signatureOf(body: string | Uint8Array, secret: string): string
  /** Everything but the signature. */
  headersOf(event: string, id: string): Headers
  push(event: PushEvent): HostEvent
  pullRequest(event: PullRequestEvent): HostEvent
}

const facts = (event: PullRequestEvent) => ({
  action: 'opened' as const,
  number: 7,
  branch: 'feature',
  target: 'main',
  sha: 'a'.repeat(40),
  title: 'Add a feature',
  author: 'ada',
  url: 'https://git.example.com/acme/app/pulls/7',
  head: { id: 1 },
  repositoryId: 1,
  ...event,
  updatedAt: new Date(Date.parse('2026-01-02T03:00:00Z') + (event.at ?? 0) * 1000),
})

/** GitHub and Gitea say nearly the same. */
function pullRequestOfGithub(event: PullRequestEvent, actions: Readonly<Record<string, string>>) {
  const { action, number, branch, target, sha, title, author, url, head, repositoryId, updatedAt } = facts(event)
  return {
    action: actions[action],
    number,
    pull_request: {
      title,
      html_url: url,
      user: { login: author },
      head: { ref: branch, sha, repo: head },
      base: { ref: target, sha: 'b'.repeat(40), repo: { id: 1 } },
      merged: false,
      updated_at: updatedAt.toISOString(),
    },
    repository: { id: repositoryId },
  }
}

const pushOfGithub = ({ branch, sha, repositoryId = 1 }: PushEvent) => ({
  ref: `refs/heads/${branch}`,
  before: NONE,
  after: sha,
  repository: { id: repositoryId },
})

const github: TestDialect = {
  name: 'GitHub',
  repository_host: 'github',
  signatureHeader: 'x-hub-signature-256',
  signatureOf: (body, secret) => `sha256=${hmac(body, secret)}`,
  headersOf: (event, id) => ({ 'x-github-event': event, 'x-github-delivery': id }),
  push: (event) => ({ event: 'push', payload: pushOfGithub(event) }),
  pullRequest: (event) => ({
    event: 'pull_request',
    payload: pullRequestOfGithub(event, { opened: 'opened', updated: 'synchronize', closed: 'closed' }),
  }),
}

const gitea: TestDialect = {
  name: 'Gitea',
  repository_host: 'gitea',
  signatureHeader: 'x-gitea-signature',
  signatureOf: hmac,
  headersOf: (event, id) => ({ 'x-gitea-event': event, 'x-gitea-delivery': id }),
  push: (event) => ({ event: 'push', payload: pushOfGithub(event) }),
  pullRequest: (event) => ({
    event: 'pull_request',
    payload: pullRequestOfGithub(event, { opened: 'opened', updated: 'synchronized', closed: 'closed' }),
  }),
}

const gitlab: TestDialect = {
  name: 'GitLab',
  repository_host: 'gitlab',
  signatureHeader: 'x-gitlab-token',
  signatureOf: (_, secret) => secret,
  headersOf: (event, id) => ({ 'x-gitlab-event': event, 'x-gitlab-event-uuid': id }),
  push: ({ branch, sha, repositoryId = 1 }) => ({
    event: 'Push Hook',
    payload: {
      object_kind: 'push',
      ref: `refs/heads/${branch}`,
      before: NONE,
      after: sha,
      project: { id: repositoryId },
      commits: [],
    },
  }),
  pullRequest: (event) => {
    const { action, number, branch, target, sha, title, author, url, head, repositoryId, updatedAt } = facts(event)
    return {
      event: 'Merge Request Hook',
      payload: {
        object_kind: 'merge_request',
        user: { username: author },
        project: { id: repositoryId },
        object_attributes: {
          iid: number,
          action: { opened: 'open', updated: 'update', closed: 'close' }[action],
          title,
          url,
          source_branch: branch,
          target_branch: target,
          source_project_id: head?.id ?? null,
          target_project_id: 1,
          source: head,
          last_commit: { id: sha },
          updated_at: updatedAt.toISOString(),
        },
      },
    }
  },
}

const signedByBitbucket = {
  repository_host: 'bitbucket',
  signatureHeader: 'x-hub-signature',
  signatureOf: (body: string | Uint8Array, secret: string) => `sha256=${hmac(body, secret)}`,
  headersOf: (event: string, id: string) => ({ 'x-event-key': event, 'x-request-uuid': id }),
} as const

/** Ids are texts there. */
const uuidOf = (id: unknown) => (typeof id === 'number' ? `{${id}}` : id)

const bitbucket: TestDialect = {
  name: 'Bitbucket Cloud',
  ...signedByBitbucket,
  push: ({ branch, sha, repositoryId = 1 }) => ({
    event: 'repo:push',
    payload: {
      repository: { uuid: uuidOf(repositoryId) },
      push: { changes: [{ old: null, new: { type: 'branch', name: branch, target: { hash: sha } } }] },
    },
  }),
  pullRequest: (event) => {
    const { action, number, branch, target, sha, title, author, url, head, repositoryId, updatedAt } = facts(event)
    const events = { opened: 'created', updated: 'updated', closed: 'rejected' }
    return {
      event: `pullrequest:${events[action]}`,
      payload: {
        repository: { uuid: uuidOf(repositoryId) },
        pullrequest: {
          id: number,
          title,
          author: { nickname: author },
          links: { html: { href: url } },
          source: { branch: { name: branch }, commit: { hash: sha }, repository: head && { uuid: uuidOf(head.id) } },
          destination: { branch: { name: target }, repository: { uuid: uuidOf(1) } },
          updated_on: updatedAt.toISOString(),
        },
      },
    }
  },
}

const dataCenter: TestDialect = {
  name: 'Bitbucket Data Center',
  ...signedByBitbucket,
  push: ({ branch, sha, repositoryId = 1 }) => ({
    event: 'repo:refs_changed',
    payload: {
      repository: { id: repositoryId },
      changes: [{ ref: { displayId: branch, type: 'BRANCH' }, fromHash: NONE, toHash: sha, type: 'UPDATE' }],
    },
  }),
  pullRequest: (event) => {
    const { action, number, branch, target, sha, title, author, url, head, repositoryId, updatedAt } = facts(event)
    const events = { opened: 'opened', updated: 'from_ref_updated', closed: 'declined' }
    return {
      event: `pr:${events[action]}`,
      payload: {
        pullRequest: {
          id: number,
          title,
          updatedDate: updatedAt.getTime(),
          fromRef: { displayId: branch, latestCommit: sha, repository: head },
          toRef: { displayId: target, latestCommit: 'b'.repeat(40), repository: { id: repositoryId } },
          author: { user: { name: author } },
          links: { self: [{ href: url }] },
        },
      },
    }
  },
}

export const dialects: readonly TestDialect[] = [github, gitlab, gitea, bitbucket, dataCenter]

type DeliveryOptions = { readonly id?: string; readonly headers?: Headers; readonly signature?: string | null }

/** With the right signature unless told another one; null for none. */
export function deliverAs(
  dialect: TestDialect,
  to: { readonly app: TestApp; readonly hookId: string },
  { event, payload }: { readonly event: string; readonly payload: unknown },
  { id = randomUUID(), headers = {}, signature }: DeliveryOptions = {},
): Promise<TestAnswer> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return to.app.call('POST', `/api/webhooks/${to.hookId}`, {
    body,
    headers: {
      ...dialect.headersOf(event, id),
      ...(signature !== null && { [dialect.signatureHeader]: signature ?? dialect.signatureOf(body, SECRET) }),
      ...headers,
    },
  })
}
