// Deliveries of Bitbucket Data Center.
import { z } from 'zod'
import {
  asksToSkip,
  NO_COMMIT,
  type PullRequestAction,
  type PullRequestEvent,
  type Push,
} from '../../domain/repository-event.ts'
import { type Translation, Unused } from './dialect.ts'
import {
  isFork,
  read,
  readBranch,
  readHead,
  readName,
  readNumber,
  readSha,
  readText,
  readTime,
  readUrl,
} from './payload.ts'

export const DATA_CENTER_EVENTS = /^(repo:refs_changed|pr:)/

export function translateDataCenter(event: string, payload: unknown): Translation {
  if (event === 'repo:refs_changed') return { repository: repositoryOf(payload), events: pushesOf(payload) }
  const action = Object.hasOwn(ACTIONS, event) ? ACTIONS[event] : undefined
  if (!action) throw new Unused('action_not_used')
  return { repository: targetOf(payload), events: [pullRequestOf(payload, action)] }
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

const Repository = z.object({
  repository: z.object({
    id: z.int(),
    links: z.object({ clone: z.array(z.object({ href: z.string() })).optional() }).nullish(),
  }),
})

function repositoryOf(payload: unknown) {
  const { success, data } = Repository.safeParse(payload)
  if (!success) return null
  const { id, links } = data.repository
  return { id: String(id), addresses: (links?.clone ?? []).map(({ href }) => href) }
}

const Target = z.object({ pullRequest: z.object({ toRef: z.unknown() }) })

/** A pull request says no more of its repository than where it leads to. */
const targetOf = (payload: unknown) => repositoryOf(Target.safeParse(payload).data?.pullRequest.toRef)

const PushPayload = z.object({
  changes: z.array(
    z.object({
      ref: z.object({ displayId: z.string(), type: z.string() }),
      fromHash: z.string(),
      toHash: z.string(),
      type: z.string(),
    }),
  ),
  commits: z.array(z.object({ id: z.string(), message: z.string().optional() })).nullish(),
})

function pushesOf(payload: unknown): readonly Push[] {
  const { changes, commits } = read(PushPayload, payload)
  const pushes = changes
    .filter(({ ref }) => ref.type === 'BRANCH')
    .map(
      ({ ref, fromHash, toHash, type }): Push => ({
        kind: 'push',
        branch: readBranch(ref.displayId),
        sha: readSha(toHash),
        before: readSha(fromHash),
        isDeleted: type === 'DELETE' || toHash === NO_COMMIT,
        isForced: false,
        isSkipped: asksToSkip(commits?.find(({ id }) => id === toHash)?.message),
      }),
    )
  if (pushes.length === 0) throw new Unused(changes.length === 0 ? 'incomplete_payload' : 'not_a_branch')
  return pushes
}

const Side = z.object({
  displayId: z.string(),
  latestCommit: z.string(),
  repository: z.object({ id: z.unknown().optional(), slug: z.string().optional() }).nullish(),
})
const PullRequestPayload = z.object({
  previousTarget: z.unknown().optional(),
  pullRequest: z.object({
    id: z.unknown().optional(),
    title: z.string().nullish(),
    draft: z.boolean().nullish(),
    updatedDate: z.number(),
    fromRef: Side,
    toRef: Side,
    author: z.object({ user: z.object({ name: z.string().optional() }).optional() }).nullish(),
    links: z.object({ self: z.array(z.object({ href: z.string().nullish() }).nullish()).optional() }).nullish(),
  }),
})

function pullRequestOf(payload: unknown, action: PullRequestAction): PullRequestEvent {
  const { pullRequest: told, previousTarget } = read(PullRequestPayload, payload)
  const { fromRef, toRef } = told
  return {
    kind: 'pull_request',
    action: action === 'updated' && previousTarget !== undefined ? 'retargeted' : action,
    pullRequest: {
      number: readNumber(told.id),
      title: readText(told.title),
      url: readUrl(told.links?.self?.[0]?.href),
      author: readName(told.author?.user?.name),
      branch: readBranch(fromRef.displayId),
      headSha: readHead(fromRef.latestCommit),
      headRepository: readName(fromRef.repository?.slug),
      isFork: isFork(fromRef.repository?.id, toRef.repository?.id),
      isDraft: told.draft === true,
      targetBranch: readBranch(toRef.displayId),
      updatedAt: readTime(told.updatedDate),
    },
  }
}
