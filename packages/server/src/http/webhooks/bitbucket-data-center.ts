// Deliveries of Bitbucket Data Center. Its newer versions send times as texts, the older ones as numbers.

import { isServiceUser } from '../../domain/repository/bot-accounts.ts'
import { fieldOf, listOf, numericIdOf } from '../../domain/repository/reported-values.ts'
import type {
  CommentEvent,
  PullRequestAction,
  PullRequestEvent,
  Push,
} from '../../domain/repository/repository-event.ts'
import {
  commentEvent,
  isFork,
  pullRequestEvent,
  pushEvent,
  pushEvents,
  readAction,
  readPart,
  repositoryOf,
} from './payload.ts'
import { PING, type Translation, Unused } from './webhook-dialect.ts'

export const DATA_CENTER_EVENTS = /^(repo:refs_changed|diagnostics:ping|pr:)/

export function translateDataCenter(event: string, payload: unknown): Translation {
  if (event === 'diagnostics:ping') return { repository: null, events: [PING] }
  if (event === 'repo:refs_changed') return { repository: repositoryIn(payload), events: pushesOf(payload) }
  // A pull request says no more of its repository than where it leads to.
  const repository = repositoryIn(fieldOf(payload, 'pullRequest', 'toRef'))
  if (event === 'pr:comment:added') return { repository, events: [commentOf(payload)] }
  const action = readAction(ACTIONS, event)
  return { repository, events: [pullRequestOf(payload, action)] }
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  'pr:opened': 'opened',
  'pr:reopened': 'reopened',
  'pr:from_ref_updated': 'updated',
  'pr:modified': 'updated',
  'pr:merged': 'merged',
  'pr:declined': 'closed',
  'pr:deleted': 'closed',
}

function repositoryIn(part: unknown) {
  const repository = fieldOf(part, 'repository')
  const clone = listOf(fieldOf(repository, 'links', 'clone')).map((link) => fieldOf(link, 'href'))
  return repositoryOf(numericIdOf(fieldOf(repository, 'id')), clone)
}

function pushesOf(payload: unknown): readonly Push[] {
  const commits = listOf(fieldOf(payload, 'commits'))
  return pushEvents(listOf(fieldOf(payload, 'changes')), (change) => {
    const ref = readPart(change, 'ref')
    if (fieldOf(ref, 'type') !== 'BRANCH') throw new Unused('not_a_branch')
    const sha = fieldOf(change, 'toHash')
    return pushEvent({
      branch: fieldOf(ref, 'displayId'),
      after: sha,
      before: fieldOf(change, 'fromHash'),
      isDeleted: fieldOf(change, 'type') === 'DELETE',
      // Data Center does not say.
      isForced: null,
      message: fieldOf(
        commits.find((commit) => fieldOf(commit, 'id') === sha),
        'message',
      ),
    })
  })
}

function pullRequestOf(payload: unknown, action: PullRequestAction): PullRequestEvent {
  const reported = readPart(payload, 'pullRequest')
  const [from, to] = [fieldOf(reported, 'fromRef'), fieldOf(reported, 'toRef')]
  const isRetargeted = action === 'updated' && fieldOf(payload, 'previousTarget') !== undefined
  return pullRequestEvent(isRetargeted ? 'retargeted' : action, {
    number: fieldOf(reported, 'id'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(listOf(fieldOf(reported, 'links', 'self'))[0], 'href'),
    author: fieldOf(reported, 'author', 'user', 'name'),
    branch: fieldOf(from, 'displayId'),
    headSha: fieldOf(from, 'latestCommit'),
    headRepository: fieldOf(from, 'repository', 'slug'),
    isFork: isFork(fieldOf(from, 'repository', 'id'), fieldOf(to, 'repository', 'id')),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(to, 'displayId'),
    // Data Center has labels for repositories only.
    labels: null,
    isBot: isServiceUser(fieldOf(reported, 'author', 'user')),
    updatedAt: fieldOf(reported, 'updatedDate'),
  })
}

function commentOf(payload: unknown): CommentEvent {
  return commentEvent({
    number: fieldOf(payload, 'pullRequest', 'id'),
    text: fieldOf(payload, 'comment', 'text'),
    author: fieldOf(payload, 'actor', 'name'),
    authorId: numericIdOf(fieldOf(payload, 'actor', 'id')),
  })
}
