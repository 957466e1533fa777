// Accepts a verified delivery: stores it in one short write, then waits briefly for its outcome.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import { Unavailable } from '../../domain/errors.ts'
import { type Origin, PLATFORM } from '../../domain/people/actor.ts'
import type { ChecksChanged, EventReason } from '../../domain/repository/repository-event.ts'
import { findProjectAnywhere } from '../../store/projects/projects.ts'
import { wakeWaits } from '../../store/repository-events/check-waits.ts'
import { findVerdict, insertStored } from '../../store/repository-events/inbox.ts'
import { deleteEarlierSecrets, type Webhook } from '../../store/repository-events/webhooks.ts'
import { type DeliveredEvents, type StoredContent, toStoredJson } from './apply-delivery.ts'
import { awaitEffect, type DeliveryOutcome } from './inbox.ts'
import { findWithDeadline, storeWithDeadline } from './query-deadline.ts'

type VerifiedDelivery = {
  /** As it is shown, and as it is compared. */
  readonly deliveryId: string
  readonly deliveryKey: string
  readonly event: string
  /** The git host that it seems to come from, if that is not the project's. */
  readonly sentBy: RepositoryHost | null
  /** Which git host the project has was only guessed so far. */
  readonly showsHost: boolean
  readonly isSignedWithNewest: boolean
  /** The translated events, or why there are none. */
  readonly translation: DeliveredEvents | EventReason
  readonly origin: Origin
}

/** Git hosts wait some ten seconds for an answer. */
const MOST_WAIT_MS = 3_000

export async function acceptDelivery(
  ctx: Context,
  webhook: Webhook,
  genuine: VerifiedDelivery,
): Promise<DeliveryOutcome> {
  const { projectId } = webhook
  const hasEarlier = webhook.earlierSecretSealed !== null || webhook.sharesSecret
  if (genuine.isSignedWithNewest && hasEarlier)
    await storeWithDeadline(ctx, () => ctx.change(PLATFORM, (tx) => deleteEarlierSecrets(tx, webhook)))
  const hints = hintsOf(genuine.translation)
  if (hints) return wakeCheckWaits(ctx, projectId, hints)
  const id = await storeDelivery(ctx, webhook, genuine)
  if (id === undefined) return { verdict: 'ignored', reason: 'project_deleting' }
  const outcome = await awaitEffect(ctx, { projectId, id, mostMs: MOST_WAIT_MS })
  return outcome ?? (await findOutcome(ctx, id)) ?? { verdict: 'stored', reason: null }
}

/** Every step of every CI job sends such deliveries: they are not listed, and nothing is lost with one of them. */
function hintsOf(translation: DeliveredEvents | EventReason): readonly ChecksChanged[] | undefined {
  if (typeof translation === 'string') return undefined
  const hints = translation.events.filter((event) => event.kind === 'checks_changed')
  return hints.length === translation.events.length ? hints : undefined
}

/** Several arrive together when a workflow ends. */
const WAKE_AFTER_MS = 2_000

async function wakeCheckWaits(
  ctx: Context,
  projectId: number,
  hints: readonly ChecksChanged[],
): Promise<DeliveryOutcome> {
  let count = 0
  for (const { sha } of hints) {
    count += await storeWithDeadline(ctx, () => wakeWaits(ctx.db, { projectId, sha, afterMs: WAKE_AFTER_MS }))
  }
  return count > 0 ? { verdict: 'accepted', reason: null } : { verdict: 'ignored', reason: 'nothing_new' }
}

/** Undefined if the project was deleted since its webhook was found. */
async function storeDelivery(ctx: Context, webhook: Webhook, genuine: VerifiedDelivery): Promise<number | undefined> {
  const { deliveryId, deliveryKey, event, sentBy, origin } = genuine
  const delivered = bounded(genuine.translation)
  const { repositoryHost: host, repoUrl } = webhook
  const content: StoredContent = {
    deliveryKey,
    delivered,
    host,
    showsHostOf: genuine.showsHost ? repoUrl : null,
    origin,
  }
  const stored = {
    projectId: webhook.projectId,
    deliveryId,
    event,
    sentBy,
    ...subjectOf(delivered),
    content: toStoredJson(content),
    at: ctx.clock(),
  }
  const id = await storeWithDeadline(ctx, () => insertStored(ctx.db, stored))
  if (id !== undefined || !(await findWithDeadline(ctx, () => findProjectAnywhere(ctx.db, webhook.projectId))))
    return id
  throw Unavailable('Too many deliveries of this project wait. Send this one again later', 30)
}

/** Another process may have applied it. The delivery is stored either way, so a failed lookup is no error. */
async function findOutcome(ctx: Context, id: number): Promise<DeliveryOutcome | undefined> {
  try {
    return await findWithDeadline(ctx, () => findVerdict(ctx.db, id))
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not look up the outcome of a delivery')
    return undefined
  }
}

/** The subject of a delivery, for the list; of several events, the first. */
function subjectOf(delivered: DeliveredEvents | EventReason) {
  const [event] = typeof delivered === 'string' ? [] : delivered.events
  const of = event?.kind === 'pull_request' ? event.pullRequest : undefined
  const number = event?.kind === 'comment' ? event.number : of?.number
  return { pullRequestNumber: number ?? null, branch: of?.branch ?? (event?.kind === 'push' ? event.branch : null) }
}

const MOST_EVENTS = 200
const MOST_ADDRESSES = 20
const MOST_ADDRESS_LENGTH = 2000

/** Bounds what is stored, whatever the size of the request. */
function bounded(translation: DeliveredEvents | EventReason): DeliveredEvents | EventReason {
  if (typeof translation === 'string') return translation
  const { repository, events } = translation
  if (events.length > MOST_EVENTS) return 'too_many_changes'
  const addresses = repository?.addresses.filter(({ length }) => length <= MOST_ADDRESS_LENGTH) ?? []
  return { repository: repository && { ...repository, addresses: addresses.slice(0, MOST_ADDRESSES) }, events }
}
