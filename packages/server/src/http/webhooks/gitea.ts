// Deliveries of Gitea and Forgejo, whose payloads are much like those of GitHub.

import { z } from 'zod'
import { asksToSkip, NO_COMMIT, type PullRequestAction, type Push } from '../../domain/repository-event.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { type Dialect, headerOf, Unused } from './dialect.ts'
import { pullRequestOf, pushOf, repositoryOf } from './github.ts'
import { read, readBranch } from './payload.ts'

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
    if (event === 'push') return { repository: repositoryOf(payload), events: [giteaPushOf(payload)] }
    if (event === 'delete') return { repository: repositoryOf(payload), events: [deletionOf(payload)] }
    // Commits that are added come under a name of their own.
    if (event !== 'pull_request' && event !== 'pull_request_sync') throw new Unused('event_not_used')
    return { repository: repositoryOf(payload), events: [pullRequestOf(payload, ACTIONS)] }
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

const Deletion = z.object({ ref: z.string(), ref_type: z.string() })

/** A branch that goes is no push here. Where it stood is not said. */
function deletionOf(payload: unknown): Push {
  const { ref, ref_type: type } = read(Deletion, payload)
  if (type !== 'branch') throw new Unused('not_a_branch')
  const none = { sha: NO_COMMIT, before: NO_COMMIT }
  return { kind: 'push', branch: readBranch(ref), ...none, isDeleted: true, isForced: false, isSkipped: false }
}

const Commits = z.object({ commits: z.array(z.object({ id: z.string(), message: z.string() })) })

/** Older versions have no newest commit beside the list. */
function giteaPushOf(payload: unknown): Push {
  const push = pushOf(payload)
  const { data } = Commits.safeParse(payload)
  const newest = data?.commits.find(({ id }) => id === push.sha)
  return { ...push, isSkipped: push.isSkipped || asksToSkip(newest?.message) }
}
