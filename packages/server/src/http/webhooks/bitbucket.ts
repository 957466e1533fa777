// Deliveries of Bitbucket Cloud; those of Bitbucket Data Center, which speaks otherwise, are handed on.

import { isAppUser } from '../../domain/repository/bot-accounts.ts'
import { fieldOf, listOf, textIdOf } from '../../domain/repository/reported-values.ts'
import type {
  ChecksChanged,
  CommentEvent,
  PullRequestAction,
  PullRequestEvent,
  Push,
} from '../../domain/repository/repository-event.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { DATA_CENTER_EVENTS, translateDataCenter } from './bitbucket-data-center.ts'
import {
  checksChanged,
  commentEvent,
  pullRequestEvent,
  pushEvent,
  pushEvents,
  readAction,
  readPart,
  repositoryOf,
} from './payload.ts'
import { type Dialect, headerOf, Unused } from './webhook-dialect.ts'

export const bitbucket: Dialect = {
  isSigned: ({ headers }, expected) => isHexHmac(headerOf(headers, 'x-hub-signature'), expected, 'sha256='),
  eventOf: (headers) => headerOf(headers, 'x-event-key'),
  deliveryIdOf: (headers) => headerOf(headers, 'x-request-uuid') ?? headerOf(headers, 'x-request-id'),
  translate: (event, payload) => {
    if (DATA_CENTER_EVENTS.test(event)) return translateDataCenter(event, payload)
    const repository = cloudRepositoryOf(payload)
    if (event === 'repo:push') return { repository, events: pushesOf(payload) }
    if (event === 'pullrequest:comment_created') return { repository, events: [commentOf(payload)] }
    if (COMMIT_STATUS.test(event)) return { repository, events: [commitStatusOf(payload)] }
    if (!event.startsWith('pullrequest:')) throw new Unused('event_not_used')
    return { repository, events: [pullRequestOf(payload, readAction(ACTIONS, event))] }
  },
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  'pullrequest:created': 'opened',
  'pullrequest:updated': 'updated',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'closed',
}

const COMMIT_STATUS = /^repo:commit_status_(created|updated)$/

/** The commit is named by its address alone. */
function commitStatusOf(payload: unknown): ChecksChanged {
  const address = fieldOf(payload, 'commit_status', 'links', 'commit', 'href')
  return checksChanged(typeof address === 'string' ? /(?<![0-9a-f])[0-9a-f]+$/.exec(address)?.[0] : undefined)
}

function cloudRepositoryOf(payload: unknown) {
  const repository = fieldOf(payload, 'repository')
  return repositoryOf(textIdOf(fieldOf(repository, 'uuid')), [fieldOf(repository, 'links', 'html', 'href')])
}

function pushesOf(payload: unknown): readonly Push[] {
  return pushEvents(listOf(fieldOf(payload, 'push', 'changes')), (change) => {
    const [tip, old] = [fieldOf(change, 'new'), fieldOf(change, 'old')]
    const branch = readPart(tip ?? old)
    if (fieldOf(branch, 'type') !== 'branch') throw new Unused('not_a_branch')
    return pushEvent({
      branch: fieldOf(branch, 'name'),
      after: tip == null ? null : fieldOf(tip, 'target', 'hash'),
      before: fieldOf(old, 'target', 'hash'),
      isForced: fieldOf(change, 'forced'),
      message: fieldOf(tip, 'target', 'message'),
    })
  })
}

/** As `isFork`, for ids that are texts. */
const isOfAnother = (head: unknown, base: unknown): boolean => textIdOf(head) === undefined || head !== base

function pullRequestOf(payload: unknown, action: PullRequestAction): PullRequestEvent {
  const reported = readPart(payload, 'pullrequest')
  const [source, destination] = [fieldOf(reported, 'source'), fieldOf(reported, 'destination')]
  const repositoryId = (side: unknown): unknown => fieldOf(side, 'repository', 'uuid')
  return pullRequestEvent(action, {
    number: fieldOf(reported, 'id'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'links', 'html', 'href'),
    author: fieldOf(reported, 'author', 'nickname') ?? fieldOf(reported, 'author', 'display_name'),
    branch: fieldOf(source, 'branch', 'name'),
    // Missing where the branch was deleted, as it is with the merge.
    headSha: fieldOf(source, 'commit', 'hash'),
    headRepository: fieldOf(source, 'repository', 'full_name'),
    isFork: isOfAnother(repositoryId(source), repositoryId(destination)),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(destination, 'branch', 'name'),
    // Bitbucket has no labels.
    labels: null,
    isBot: isAppUser(fieldOf(reported, 'author')),
    updatedAt: fieldOf(reported, 'updated_on'),
  })
}

function commentOf(payload: unknown): CommentEvent {
  return commentEvent({
    number: fieldOf(payload, 'pullrequest', 'id'),
    text: fieldOf(payload, 'comment', 'content', 'raw'),
    author: fieldOf(payload, 'actor', 'nickname') ?? fieldOf(payload, 'actor', 'display_name'),
    authorId: textIdOf(fieldOf(payload, 'actor', 'uuid')),
  })
}
