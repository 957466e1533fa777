// Deliveries of Gitea, Forgejo and Gogs, whose payloads are much like those of GitHub.

import { isBuiltInAccount } from '../../domain/repository/bot-accounts.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import { asksToSkip, type PullRequestAction, type Push } from '../../domain/repository/repository-event.ts'
import { isHexHmac, isPartHmac } from '../../secrets/webhook-signature.ts'
import { commentOf, githubRepositoryOf, pullRequestOf, pushOf } from './github.ts'
import { checksChanged, pushEvent, readPart } from './payload.ts'
import { type Delivery, type Dialect, headerOf, Unused } from './webhook-dialect.ts'

export const gitea: Dialect = {
  isSigned: ({ headers }, expected) => {
    const own = firstOf(headers, 'signature')
    const like = headerOf(headers, 'x-hub-signature-256')
    // Of a form, Gitea signs the JSON in it. Both are looked at, whatever the first says.
    const isOwn = [isHexHmac(own, expected, ''), isPartHmac(own, expected, '')].includes(true)
    const isLikeGithub = [isHexHmac(like, expected, 'sha256='), isPartHmac(like, expected, 'sha256=')].includes(true)
    // With a signature of its own, that one decides.
    return own === undefined ? isLikeGithub : isOwn
  },
  eventOf: (headers) => firstOf(headers, 'event'),
  deliveryIdOf: (headers) => firstOf(headers, 'delivery'),
  translate: (event, payload) => {
    const repository = githubRepositoryOf(payload)
    if (event === 'push') return { repository, events: [giteaPushOf(payload)] }
    if (event === 'delete') return { repository, events: [deletionOf(payload)] }
    if (event === 'status') return { repository, events: [checksChanged(fieldOf(payload, 'sha'))] }
    // A comment of a pull request is an event of its own in newer versions.
    if (event === 'issue_comment' || event === 'pull_request_comment') {
      return { repository, events: [commentOf(payload)] }
    }
    // Commits that are added come under a name of their own, and so do labels.
    if (!PULL_REQUEST_EVENTS.includes(event)) throw new Unused('event_not_used')
    return { repository, events: [pullRequestOf(payload, ACTIONS, isBuiltInAccount)] }
  },
}

/** Gitea, Forgejo and Gogs have headers of their own each, and some send those of the others as well. */
function firstOf(headers: Delivery['headers'], what: 'event' | 'delivery' | 'signature'): string | undefined {
  const names = ['gitea', 'forgejo', 'gogs'].map((name) => headerOf(headers, `x-${name}-${what}`))
  return names.find((value) => value !== undefined)
}

const PULL_REQUEST_EVENTS = ['pull_request', 'pull_request_sync', 'pull_request_label']

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  opened: 'opened',
  reopened: 'reopened',
  synchronized: 'updated',
  synchronize: 'updated',
  edited: 'updated',
  label_updated: 'labelled',
  label_cleared: 'unlabelled',
  closed: 'closed',
}

/** A branch that goes is no push here. Where it stood is not said. */
function deletionOf(payload: unknown): Push {
  const deletion = readPart(payload)
  if (fieldOf(deletion, 'ref_type') !== 'branch') throw new Unused('not_a_branch')
  const branch = fieldOf(deletion, 'ref')
  return pushEvent({ branch, after: null, before: null, isForced: null, message: null })
}

/** Older versions have no newest commit beside the list. */
function giteaPushOf(payload: unknown): Push {
  const push = pushOf(payload)
  const newest = listOf(fieldOf(payload, 'commits')).find((commit) => fieldOf(commit, 'id') === push.sha)
  return { ...push, isSkipped: push.isSkipped || asksToSkip(fieldOf(newest, 'message')) }
}
