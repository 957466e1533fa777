// Deliveries of GitHub.
import { z } from 'zod'
import {
  asksToSkip,
  NO_COMMIT,
  type PullRequestAction,
  type PullRequestEvent,
  type Push,
} from '../../domain/repository-event.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { type Dialect, headerOf, Unused } from './dialect.ts'
import {
  isFork,
  read,
  readBranch,
  readHead,
  readName,
  readNumber,
  readRef,
  readSha,
  readText,
  readTime,
  readUrl,
} from './payload.ts'

export const github: Dialect = {
  isSigned: ({ headers }, expected) => isHexHmac(headerOf(headers, 'x-hub-signature-256'), expected, 'sha256='),
  eventOf: (headers) => headerOf(headers, 'x-github-event'),
  deliveryIdOf: (headers) => headerOf(headers, 'x-github-delivery'),
  translate: (event, payload) => {
    if (event === 'push') return { repository: repositoryOf(payload), events: [pushOf(payload)] }
    if (event !== 'pull_request') throw new Unused('event_not_used')
    return { repository: repositoryOf(payload), events: [pullRequestOf(payload, ACTIONS)] }
  },
}

/** Everything else that can happen to a pull request leads nowhere here. A draft is a pull request like any other. */
const ACTIONS: Actions = {
  opened: 'opened',
  reopened: 'reopened',
  synchronize: 'updated',
  ready_for_review: 'updated',
  edited: 'updated',
  closed: 'closed',
}

type Actions = Readonly<Record<string, PullRequestAction>>

const Repository = z.object({
  repository: z.object({
    id: z.int(),
    clone_url: z.string().optional(),
    ssh_url: z.string().optional(),
    html_url: z.string().optional(),
  }),
})

export function repositoryOf(payload: unknown) {
  const { success, data } = Repository.safeParse(payload)
  if (!success) return null
  const { id, clone_url: clone, ssh_url: ssh, html_url: html } = data.repository
  return { id: String(id), addresses: [clone, ssh, html].filter((address) => address !== undefined) }
}

const PushPayload = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  deleted: z.boolean().optional(),
  forced: z.boolean().optional(),
  head_commit: z.object({ message: z.string().optional() }).nullish(),
})

export function pushOf(payload: unknown): Push {
  const { ref, before, after, deleted, forced, head_commit: newest } = read(PushPayload, payload)
  const branch = readRef(ref)
  const sha = readSha(after)
  return {
    kind: 'push',
    branch,
    sha,
    before: readSha(before),
    isDeleted: deleted === true || sha === NO_COMMIT,
    isForced: forced === true,
    isSkipped: asksToSkip(newest?.message),
  }
}

const Side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.unknown().optional(), full_name: z.string().optional() }).nullish(),
})
const PullRequestPayload = z.object({
  action: z.string(),
  number: z.unknown().optional(),
  pull_request: z.object({
    title: z.string().nullish(),
    html_url: z.string().nullish(),
    user: z.object({ login: z.string().optional() }).nullish(),
    head: Side,
    base: Side,
    draft: z.boolean().nullish(),
    merged: z.boolean().nullish(),
    updated_at: z.string(),
  }),
  changes: z.object({ base: z.unknown().optional(), ref: z.unknown().optional() }).partial().nullish(),
})

export function pullRequestOf(payload: unknown, actions: Actions): PullRequestEvent {
  const { action: theirs } = read(z.object({ action: z.string() }), payload)
  const known = Object.hasOwn(actions, theirs) ? actions[theirs] : undefined
  if (!known) throw new Unused('action_not_used')
  const { number, pull_request: told, changes } = read(PullRequestPayload, payload)
  const { head, base } = told
  const isRetargeted = known === 'updated' && (changes?.base !== undefined || changes?.ref !== undefined)
  return {
    kind: 'pull_request',
    action: known === 'closed' && told.merged === true ? 'merged' : isRetargeted ? 'retargeted' : known,
    pullRequest: {
      number: readNumber(number),
      title: readText(told.title),
      url: readUrl(told.html_url),
      author: readName(told.user?.login),
      branch: readBranch(head.ref),
      headSha: readHead(head.sha),
      headRepository: readName(head.repo?.full_name),
      isFork: isFork(head.repo?.id, base.repo?.id),
      isDraft: told.draft === true,
      targetBranch: readBranch(base.ref),
      updatedAt: readTime(told.updated_at),
    },
  }
}
