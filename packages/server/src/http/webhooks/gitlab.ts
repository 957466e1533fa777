// Deliveries of GitLab: with the secret itself as a token, or signed by the rules of Standard Webhooks.
import { z } from 'zod'
import {
  asksToSkip,
  NO_COMMIT,
  type PullRequestAction,
  type PullRequestEvent,
  type Push,
} from '../../domain/repository-event.ts'
import { isStandardHmac, isToken } from '../../secrets/webhook-signature.ts'
import { type Delivery, type Dialect, headerOf, Unused } from './dialect.ts'
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

export const gitlab: Dialect = {
  isSigned: (delivery, expected) => {
    const { headers } = delivery
    const signature = headerOf(headers, 'webhook-signature')
    const isSigned = isStandardHmac(signature, expected) && isRecent(delivery)
    const hasToken = isToken(headerOf(headers, 'x-gitlab-token'), expected.secret)
    // What is signed is judged by its signature, whatever else is sent beside it.
    return signature === undefined ? hasToken : isSigned
  },
  eventOf: (headers) => headerOf(headers, 'x-gitlab-event'),
  deliveryIdOf: (headers) =>
    headerOf(headers, 'webhook-id') ?? headerOf(headers, 'idempotency-key') ?? headerOf(headers, 'x-gitlab-event-uuid'),
  translate: (_, payload) => {
    const { object_kind: kind } = read(z.object({ object_kind: z.string() }), payload)
    if (kind === 'push') return { repository: repositoryOf(payload), events: [pushOf(payload)] }
    if (kind === 'tag_push') throw new Unused('not_a_branch')
    if (kind !== 'merge_request') throw new Unused('event_not_used')
    return { repository: repositoryOf(payload), events: [mergeRequestOf(payload)] }
  },
}

const MOST_AGE_MS = 60 * 60_000

/** The time is signed: what was overheard cannot be sent again for long. */
function isRecent({ headers, receivedAt }: Delivery): boolean {
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? ''
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(receivedAt - Number(timestamp) * 1000) <= MOST_AGE_MS
}

const Repository = z.object({
  project: z.object({
    id: z.int(),
    git_http_url: z.string().optional(),
    git_ssh_url: z.string().optional(),
    web_url: z.string().optional(),
  }),
})

function repositoryOf(payload: unknown) {
  const { success, data } = Repository.safeParse(payload)
  if (!success) return null
  const { id, git_http_url: http, git_ssh_url: ssh, web_url: web } = data.project
  return { id: String(id), addresses: [http, ssh, web].filter((address) => address !== undefined) }
}

const PushPayload = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  commits: z.array(z.object({ id: z.string().optional(), message: z.string().optional() })).nullish(),
  push_options: z.object({ ci: z.object({ skip: z.unknown().optional() }).partial().optional() }).nullish(),
})

function pushOf(payload: unknown): Push {
  const { ref, before, after, commits, push_options: options } = read(PushPayload, payload)
  const branch = readRef(ref)
  const sha = readSha(after)
  const newest = commits?.find(({ id }) => id === sha)
  return {
    kind: 'push',
    branch,
    sha,
    before: readSha(before),
    isDeleted: sha === NO_COMMIT,
    // GitLab does not tell.
    isForced: false,
    isSkipped: asksToSkip(newest?.message) || options?.ci?.skip !== undefined,
  }
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  open: 'opened',
  reopen: 'reopened',
  update: 'updated',
  close: 'closed',
  merge: 'merged',
}

const MergeRequestPayload = z.object({
  user: z.object({ username: z.string().optional() }).nullish(),
  object_attributes: z.object({
    iid: z.unknown().optional(),
    action: z.string(),
    title: z.string().nullish(),
    url: z.string().nullish(),
    source_branch: z.string(),
    target_branch: z.string().nullish(),
    source_project_id: z.unknown().optional(),
    target_project_id: z.unknown().optional(),
    source: z.object({ path_with_namespace: z.string().optional() }).nullish(),
    last_commit: z.object({ id: z.string() }),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    updated_at: z.string(),
  }),
  changes: z.object({ target_branch: z.unknown().optional() }).partial().nullish(),
})

function mergeRequestOf(payload: unknown): PullRequestEvent {
  const Action = z.object({ object_attributes: z.object({ action: z.string().optional() }) })
  const theirs = read(Action, payload).object_attributes.action ?? ''
  const known = Object.hasOwn(ACTIONS, theirs) ? ACTIONS[theirs] : undefined
  if (!known) throw new Unused('action_not_used')
  const { object_attributes: told, user, changes } = read(MergeRequestPayload, payload)
  return {
    kind: 'pull_request',
    action: known === 'updated' && changes?.target_branch !== undefined ? 'retargeted' : known,
    pullRequest: {
      number: readNumber(told.iid),
      title: readText(told.title),
      url: readUrl(told.url),
      // The user is whoever did this; only at the beginning is that the author.
      author: known === 'opened' ? readName(user?.username) : null,
      branch: readBranch(told.source_branch),
      headSha: readHead(told.last_commit.id),
      headRepository: readName(told.source?.path_with_namespace),
      isFork: isFork(told.source_project_id, told.target_project_id),
      isDraft: told.draft === true || told.work_in_progress === true,
      targetBranch: told.target_branch == null ? null : readBranch(told.target_branch),
      updatedAt: readTime(told.updated_at),
    },
  }
}
