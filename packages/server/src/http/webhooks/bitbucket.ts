// Deliveries of Bitbucket Cloud; those of Bitbucket Data Center, which speaks otherwise, are handed on.
import { z } from 'zod'
import {
  asksToSkip,
  NO_COMMIT,
  type PullRequestAction,
  type PullRequestEvent,
  type Push,
} from '../../domain/repository-event.ts'
import { isHexHmac } from '../../secrets/webhook-signature.ts'
import { DATA_CENTER_EVENTS, translateDataCenter } from './bitbucket-data-center.ts'
import { type Dialect, headerOf, Unused } from './dialect.ts'
import {
  read,
  readBranch,
  readName,
  readNumber,
  readShortHead,
  readText,
  readTime,
  readUrl,
  shaOrNone,
} from './payload.ts'

export const bitbucket: Dialect = {
  isSigned: ({ headers }, expected) => isHexHmac(headerOf(headers, 'x-hub-signature'), expected, 'sha256='),
  eventOf: (headers) => headerOf(headers, 'x-event-key'),
  deliveryIdOf: (headers) => headerOf(headers, 'x-request-uuid') ?? headerOf(headers, 'x-request-id'),
  translate: (event, payload) => {
    if (DATA_CENTER_EVENTS.test(event)) return translateDataCenter(event, payload)
    if (event === 'repo:push') return { repository: repositoryOf(payload), events: pushesOf(payload) }
    if (!event.startsWith('pullrequest:')) throw new Unused('event_not_used')
    const action = Object.hasOwn(ACTIONS, event) ? ACTIONS[event] : undefined
    if (!action) throw new Unused('action_not_used')
    return { repository: repositoryOf(payload), events: [pullRequestOf(payload, action)] }
  },
}

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  'pullrequest:created': 'opened',
  'pullrequest:updated': 'updated',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'closed',
}

const Links = z.object({ html: z.object({ href: z.string() }).optional() }).nullish()
/** The id is stored: one that no git host would give is none. */
const Uuid = z.string().regex(/^[\x21-\x7e]{1,100}$/)
const Repository = z.object({ repository: z.object({ uuid: Uuid, links: Links }) })

function repositoryOf(payload: unknown) {
  const { success, data } = Repository.safeParse(payload)
  if (!success) return null
  const address = data.repository.links?.html?.href
  return { id: data.repository.uuid, addresses: address === undefined ? [] : [address] }
}

const Tip = z
  .object({
    type: z.string(),
    name: z.string(),
    target: z.object({ hash: z.string(), message: z.string().optional() }),
  })
  .nullish()
const PushPayload = z.object({
  push: z.object({ changes: z.array(z.object({ old: Tip, new: Tip, forced: z.boolean().nullish() })) }),
})

/** One push can move several branches. */
function pushesOf(payload: unknown): readonly Push[] {
  const changes = read(PushPayload, payload).push.changes
  const pushes = changes.flatMap(({ old, new: tip, forced }): Push[] => {
    const branch = tip ?? old
    if (branch?.type !== 'branch') return []
    const sha = shaOrNone(tip?.target.hash)
    return [
      {
        kind: 'push',
        branch: readBranch(branch.name),
        sha,
        before: shaOrNone(old?.target.hash),
        isDeleted: sha === NO_COMMIT,
        isForced: forced === true,
        isSkipped: asksToSkip(tip?.target.message),
      },
    ]
  })
  if (pushes.length === 0) throw new Unused(changes.length === 0 ? 'incomplete_payload' : 'not_a_branch')
  return pushes
}

const Side = z.object({
  branch: z.object({ name: z.string() }),
  commit: z.object({ hash: z.string() }).nullish(),
  repository: z.object({ uuid: z.unknown().optional(), full_name: z.string().optional() }).nullish(),
})
const PullRequestPayload = z.object({
  pullrequest: z.object({
    id: z.unknown().optional(),
    title: z.string().nullish(),
    draft: z.boolean().nullish(),
    author: z.object({ nickname: z.string().optional(), display_name: z.string().optional() }).nullish(),
    links: Links,
    source: Side,
    destination: Side,
    updated_on: z.string(),
  }),
})

/** As `isFork`, for ids that are texts. */
const isOfAnother = (head: unknown, base: unknown): boolean => !Uuid.safeParse(head).success || head !== base

function pullRequestOf(payload: unknown, action: PullRequestAction): PullRequestEvent {
  const { pullrequest: told } = read(PullRequestPayload, payload)
  const { source, destination } = told
  return {
    kind: 'pull_request',
    action,
    pullRequest: {
      number: readNumber(told.id),
      title: readText(told.title),
      url: readUrl(told.links?.html?.href),
      author: readName(told.author?.nickname ?? told.author?.display_name),
      branch: readBranch(source.branch.name),
      headSha: readShortHead(source.commit?.hash ?? ''),
      headRepository: readName(source.repository?.full_name),
      isFork: isOfAnother(source.repository?.uuid, destination.repository?.uuid),
      isDraft: told.draft === true,
      targetBranch: readBranch(destination.branch.name),
      updatedAt: readTime(told.updated_on),
    },
  }
}
