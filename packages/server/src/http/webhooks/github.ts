// Deliveries of GitHub.

import { isMarkedBot } from '../../domain/repository/bot-accounts.ts'
import { fieldOf, listOf, numericIdOf } from '../../domain/repository/reported-values.ts'
import type {
  CommentEvent,
  PullRequestAction,
  PullRequestEvent,
  Push,
} from '../../domain/repository/repository-event.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { checkRunEventOf, checkSuiteEventOf } from './github-checks.ts'
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
import { type Dialect, headerOf, PING, Unused } from './webhook-dialect.ts'

export const github: Dialect = {
  isSigned: ({ headers }, expected) => isHexHmac(headerOf(headers, 'x-hub-signature-256'), expected, 'sha256='),
  eventOf: (headers) => headerOf(headers, 'x-github-event'),
  deliveryIdOf: (headers) => headerOf(headers, 'x-github-delivery'),
  translate: (event, payload) => {
    const repository = githubRepositoryOf(payload)
    if (event === 'ping') return { repository, events: [PING] }
    if (event === 'push') return { repository, events: [pushOf(payload)] }
    if (event === 'issue_comment') return { repository, events: [commentOf(payload)] }
    if (event === 'check_run') return { repository, events: [checkRunEventOf(payload)] }
    if (event === 'check_suite') return { repository, events: [checkSuiteEventOf(payload)] }
    if (event === 'status') return { repository, events: [checksChanged(fieldOf(payload, 'sha'))] }
    if (event !== 'pull_request') throw new Unused('event_not_used')
    return { repository, events: [pullRequestOf(payload, ACTIONS)] }
  },
}

/** Everything else that can happen to a pull request leads nowhere here. */
const ACTIONS: Actions = {
  opened: 'opened',
  reopened: 'reopened',
  synchronize: 'updated',
  ready_for_review: 'ready_for_review',
  converted_to_draft: 'converted_to_draft',
  labeled: 'labelled',
  unlabeled: 'unlabelled',
  edited: 'updated',
  closed: 'closed',
}

type Actions = Readonly<Record<string, PullRequestAction>>

export function githubRepositoryOf(payload: unknown) {
  const of = (field: string): unknown => fieldOf(payload, 'repository', field)
  return repositoryOf(numericIdOf(of('id')), [of('clone_url'), of('ssh_url'), of('html_url')])
}

export function pushOf(payload: unknown): Push {
  const push = readPart(payload)
  const after = readWord(fieldOf(push, 'after'))
  return pushEvent({
    branch: readRef(fieldOf(push, 'ref')),
    after,
    before: fieldOf(push, 'before'),
    isDeleted: fieldOf(push, 'deleted') === true,
    isForced: fieldOf(push, 'forced'),
    message: fieldOf(push, 'head_commit', 'message'),
  })
}

const labelsIn = (reported: unknown): readonly unknown[] =>
  listOf(fieldOf(reported, 'labels')).map((label) => fieldOf(label, 'name'))

/** A comment of an issue is one of a pull request if the issue is one. */
export function commentOf(payload: unknown): CommentEvent {
  const issue = readPart(payload, 'issue')
  if (fieldOf(issue, 'pull_request') == null && fieldOf(payload, 'is_pull') !== true) throw new Unused('event_not_used')
  if (fieldOf(payload, 'action') !== 'created') throw new Unused('action_not_used')
  return commentEvent({
    number: fieldOf(issue, 'number'),
    text: fieldOf(payload, 'comment', 'body'),
    author: fieldOf(payload, 'comment', 'user', 'login'),
    authorId: numericIdOf(fieldOf(payload, 'comment', 'user', 'id')),
  })
}

export function pullRequestOf(payload: unknown, actions: Actions, isBot = isMarkedBot): PullRequestEvent {
  const known = readAction(actions, readWord(fieldOf(payload, 'action')))
  const reported = readPart(payload, 'pull_request')
  const changed = (field: string): boolean => fieldOf(payload, 'changes', field) !== undefined
  const isRetargeted = known === 'updated' && (changed('base') || changed('ref'))
  const isMerged = known === 'closed' && fieldOf(reported, 'merged') === true
  return pullRequestEvent(isMerged ? 'merged' : isRetargeted ? 'retargeted' : known, {
    number: fieldOf(payload, 'number'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'html_url'),
    author: fieldOf(reported, 'user', 'login'),
    branch: fieldOf(reported, 'head', 'ref'),
    headSha: fieldOf(reported, 'head', 'sha'),
    headRepository: fieldOf(reported, 'head', 'repo', 'full_name'),
    isFork: isFork(fieldOf(reported, 'head', 'repo', 'id'), fieldOf(reported, 'base', 'repo', 'id')),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(reported, 'base', 'ref'),
    // Gitea still lists the labels that were cleared.
    labels: fieldOf(payload, 'action') === 'label_cleared' ? [] : labelsIn(reported),
    isBot: isBot(fieldOf(reported, 'user')),
    updatedAt: fieldOf(reported, 'updated_at'),
  })
}
