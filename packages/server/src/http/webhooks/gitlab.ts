// Deliveries of GitLab: with the secret itself as a token, or signed by the rules of Standard Webhooks.

import { isGitlabBot } from '../../domain/repository/bot-accounts.ts'
import { fieldOf, listOf, numericIdOf } from '../../domain/repository/reported-values.ts'
import type {
  CommentEvent,
  OpenAction,
  PullRequestAction,
  PullRequestEvent,
  Push,
} from '../../domain/repository/repository-event.ts'
import { isStandardHmac, isToken } from '../../secrets/webhook-signature.ts'
import {
  checksChanged,
  commentEvent,
  isFork,
  pullRequestEvent,
  pushEvent,
  readAction,
  readPart,
  readRef,
  readWord,
  repositoryOf,
} from './payload.ts'
import { type Delivery, type Dialect, headerOf, Unused } from './webhook-dialect.ts'

export const gitlab: Dialect = {
  isSigned: (delivery, expected) => {
    const { headers } = delivery
    const signature = headerOf(headers, 'webhook-signature')
    const isSigned = isStandardHmac(signature, expected) && isRecent(delivery)
    const hasToken = isToken(headerOf(headers, 'x-gitlab-token'), expected.secret)
    // What is signed is checked by its signature, whatever else is sent beside it.
    return signature === undefined ? hasToken : isSigned
  },
  eventOf: (headers) => headerOf(headers, 'x-gitlab-event'),
  deliveryIdOf: (headers) =>
    headerOf(headers, 'webhook-id') ?? headerOf(headers, 'idempotency-key') ?? headerOf(headers, 'x-gitlab-event-uuid'),
  translate: (event, payload) => {
    // Of the whole installation: they are about every repository, and some have names of their own.
    if (event === 'System Hook') throw new Unused('event_not_used')
    const kind = fieldOf(payload, 'object_kind')
    if (kind === undefined && fieldOf(payload, 'event_name') !== undefined) throw new Unused('event_not_used')
    const repository = gitlabRepositoryOf(payload)
    if (kind === 'push') return { repository, events: [pushOf(payload)] }
    if (kind === 'tag_push') throw new Unused('not_a_branch')
    if (kind === 'note') return { repository, events: [noteOf(payload)] }
    if (kind === 'pipeline')
      return { repository, events: [checksChanged(fieldOf(payload, 'object_attributes', 'sha'))] }
    if (kind === 'build') return { repository, events: [checksChanged(fieldOf(payload, 'sha'))] }
    if (readWord(kind) !== 'merge_request') throw new Unused('event_not_used')
    return { repository, events: [mergeRequestOf(payload)] }
  },
}

const MOST_AGE_MS = 60 * 60_000

/** The time is signed: what was overheard cannot be sent again for long. */
function isRecent({ headers, receivedAt }: Delivery): boolean {
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? ''
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(receivedAt - Number(timestamp) * 1000) <= MOST_AGE_MS
}

function gitlabRepositoryOf(payload: unknown) {
  const of = (field: string): unknown => fieldOf(payload, 'project', field)
  return repositoryOf(numericIdOf(of('id')), [of('git_http_url'), of('git_ssh_url'), of('web_url')])
}

function pushOf(payload: unknown): Push {
  const sha = readWord(fieldOf(payload, 'after'))
  const newest = listOf(fieldOf(payload, 'commits')).find((commit) => fieldOf(commit, 'id') === sha)
  const push = pushEvent({
    branch: readRef(fieldOf(payload, 'ref')),
    after: sha,
    before: fieldOf(payload, 'before'),
    // GitLab does not say.
    isForced: null,
    message: fieldOf(newest, 'message'),
  })
  const isSkipped = fieldOf(payload, 'push_options', 'ci', 'skip') !== undefined
  return { ...push, isSkipped: push.isSkipped || isSkipped }
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  open: 'opened',
  reopen: 'reopened',
  update: 'updated',
  close: 'closed',
  merge: 'merged',
}

function mergeRequestOf(payload: unknown): PullRequestEvent {
  const reported = readPart(payload, 'object_attributes')
  const action = fieldOf(reported, 'action')
  const known = readAction(ACTIONS, typeof action === 'string' ? action : '')
  const opener = known === 'opened' ? fieldOf(payload, 'user', 'username') : null
  return pullRequestEvent(known === 'updated' ? changeOf(payload) : known, {
    number: fieldOf(reported, 'iid'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'url'),
    // `user` is who triggered the event; only for a new merge request is that the author.
    author: opener,
    branch: fieldOf(reported, 'source_branch'),
    headSha: fieldOf(reported, 'last_commit', 'id'),
    headRepository: fieldOf(reported, 'source', 'path_with_namespace'),
    isFork: isFork(fieldOf(reported, 'source_project_id'), fieldOf(reported, 'target_project_id')),
    isDraft: fieldOf(reported, 'draft') === true || fieldOf(reported, 'work_in_progress') === true,
    targetBranch: fieldOf(reported, 'target_branch'),
    labels: listOf(fieldOf(payload, 'labels')).map((label) => fieldOf(label, 'title')),
    isBot: opener === null ? null : isGitlabBot(opener),
    updatedAt: fieldOf(reported, 'updated_at'),
  })
}

/** What an update is about; of several changes, the one that the rules ask for first. */
function changeOf(payload: unknown): OpenAction {
  const change = (field: string): unknown => fieldOf(payload, 'changes', field)
  if (change('target_branch') !== undefined) return 'retargeted'
  const isDraft = fieldOf(change('draft'), 'current')
  if (typeof isDraft === 'boolean') return isDraft ? 'converted_to_draft' : 'ready_for_review'
  const labels = change('labels')
  if (labels === undefined) return 'updated'
  const count = (when: string): number => listOf(fieldOf(labels, when)).length
  return count('current') < count('previous') ? 'unlabelled' : 'labelled'
}

/** Comments of commits, issues and snippets are no commands. */
function noteOf(payload: unknown): CommentEvent {
  const note = fieldOf(payload, 'object_attributes')
  if (fieldOf(note, 'noteable_type') !== 'MergeRequest') throw new Unused('event_not_used')
  // Older versions have no action: they report new notes only.
  if ((fieldOf(note, 'action') ?? 'create') !== 'create') throw new Unused('action_not_used')
  return commentEvent({
    number: fieldOf(payload, 'merge_request', 'iid'),
    text: fieldOf(note, 'note'),
    author: fieldOf(payload, 'user', 'username'),
    authorId: numericIdOf(fieldOf(note, 'author_id')),
  })
}
