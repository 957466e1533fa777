// Deliveries of Gitea and Forgejo, whose payloads are much like those of GitHub.
import { asksToSkip, type PullRequestAction, type Push } from '../../domain/repository-event.ts'
import { fieldOf, listOf } from '../../domain/told-values.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { type Dialect, headerOf, Unused } from './dialect.ts'
import { githubRepositoryOf, pullRequestOf, pushOf } from './github.ts'
import { pushEvent, readPart } from './payload.ts'

export const gitea: Dialect = {
  isSigned: ({ headers }, expected) => {
    const own = headerOf(headers, 'x-gitea-signature') ?? headerOf(headers, 'x-forgejo-signature')
    const isOwn = isHexHmac(own, expected, '')
    const isLikeGithub = isHexHmac(headerOf(headers, 'x-hub-signature-256'), expected, 'sha256=')
    // With a signature of its own, that one decides.
    return own === undefined ? isLikeGithub : isOwn
  },
  eventOf: (headers) => headerOf(headers, 'x-gitea-event') ?? headerOf(headers, 'x-forgejo-event'),
  deliveryIdOf: (headers) => headerOf(headers, 'x-gitea-delivery') ?? headerOf(headers, 'x-forgejo-delivery'),
  translate: (event, payload) => {
    const repository = githubRepositoryOf(payload)
    if (event === 'push') return { repository, events: [giteaPushOf(payload)] }
    if (event === 'delete') return { repository, events: [deletionOf(payload)] }
    // Commits that are added come under a name of their own.
    if (event !== 'pull_request' && event !== 'pull_request_sync') throw new Unused('event_not_used')
    return { repository, events: [pullRequestOf(payload, ACTIONS)] }
  },
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  opened: 'opened',
  reopened: 'reopened',
  synchronized: 'updated',
  synchronize: 'updated',
  edited: 'updated',
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
