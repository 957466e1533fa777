// Takes a genuine delivery, once: what it leads to is done in the transaction that remembers it, or neither is.
import type { RepositoryHost } from '@shipway/api/projects'
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Automatic, Origin } from '../domain/actor.ts'
import { isSameRepository } from '../domain/project.ts'
import { type EventReason, leavesOpen, type RepositoryEvent } from '../domain/repository-event.ts'
import { HOST_NAMES } from '../domain/repository-hosts.ts'
import { insertDelivery, insertDeliveryId } from '../store/deliveries.ts'
import { findProjectAnywhere, lockProject } from '../store/projects.ts'
import type { Tables } from '../store/tables.ts'
import { deleteEarlierSecrets, updateRepositoryExternalId, type Webhook } from '../store/webhooks.ts'
import { confirmHost } from './confirm-host.ts'
import { handleRepositoryEvent } from './handle-repository-event.ts'
import { ignored, type Outcome, outcomeOf } from './outcome.ts'

export type DeliveryOutcome = {
  readonly verdict: 'accepted' | 'duplicate' | 'ignored'
  readonly reason: EventReason | null
}

type Genuine = {
  readonly deliveryId: string
  readonly event: string
  /** The git host that it looks like, where that is not the one of the project. */
  readonly sentBy: RepositoryHost | null
  readonly isSignedWithNewest: boolean
  /** What it says in our words, or why that is nothing. */
  readonly translation: Told | EventReason
  readonly origin: Origin
}

type Told = {
  readonly repository: { readonly id: string; readonly addresses: readonly string[] } | null
  readonly events: readonly RepositoryEvent[]
}

export async function takeDelivery(ctx: Context, webhook: Webhook, genuine: Genuine): Promise<DeliveryOutcome> {
  const { projectId } = webhook
  const { verdict, reason } = await ctx.db.transaction().execute(async (db) => {
    await lockProject(db, projectId)
    const outcome = await takeOnce(ctx, db, webhook, genuine)
    await insertDelivery(db, {
      project_id: projectId,
      delivery_id: genuine.deliveryId,
      event: genuine.event,
      verdict: outcome.verdict,
      reason: outcome.reason,
      received_at: ctx.clock(),
      ...subjectOf(genuine.translation),
      environment_id: outcome.environmentId ?? null,
      sent_by: genuine.sentBy,
    })
    return outcome
  })
  if (verdict === 'accepted') {
    ctx.bus.announce({ about: 'queue' })
    if (mayFreeSlot(genuine)) ctx.bus.announce({ about: 'slots', projectId })
  }
  return { verdict, reason }
}

/** What a delivery is about, for people to see; of several events, the first. */
function subjectOf(translation: Told | EventReason) {
  const [event] = typeof translation === 'string' ? [] : translation.events
  return {
    pull_request_number: event?.kind === 'pull_request' ? event.pullRequest.number : null,
    branch: event?.kind === 'pull_request' ? event.pullRequest.branch : event?.kind === 'push' ? event.branch : null,
  }
}

type Effect = DeliveryOutcome & { readonly environmentId?: number | null | undefined }

const mayFreeSlot = ({ translation }: Genuine): boolean =>
  typeof translation !== 'string' &&
  translation.events.some((event) => event.kind === 'pull_request' && !leavesOpen(event.action))

async function takeOnce(ctx: Context, db: Kysely<Tables>, webhook: Webhook, genuine: Genuine): Promise<Effect> {
  const { projectId } = webhook
  const isNew = await insertDeliveryId(db, { projectId, deliveryId: genuine.deliveryId, at: ctx.clock() })
  if (!isNew) return { verdict: 'duplicate', reason: null }
  const hasEarlier = webhook.earlierSecretSealed !== null || webhook.sharesSecret
  if (genuine.isSignedWithNewest && hasEarlier) await deleteEarlierSecrets(db, projectId)
  const by = { userId: null, name: HOST_NAMES[webhook.repositoryHost], origin: genuine.origin }
  await confirmHost(ctx, db, webhook, by)
  const { isAccepted, reason, environmentId } = await handleAll(ctx, db, webhook, { ...genuine, by })
  return { verdict: isAccepted ? 'accepted' : 'ignored', reason, environmentId }
}

async function handleAll(
  ctx: Context,
  db: Kysely<Tables>,
  webhook: Webhook,
  { translation, by }: Genuine & { readonly by: Automatic },
): Promise<Outcome> {
  if (typeof translation === 'string') return ignored(translation)
  // Nothing follows from a ping; that of a whole organization names no repository.
  const isPing = translation.events.every(({ kind }) => kind === 'ping')
  if (!(await isOfProject(db, webhook, translation)) && !isPing) return ignored('other_repository')
  const project = await findProjectAnywhere(db, webhook.projectId)
  if (!project) return ignored('project_deleting')
  const outcomes: Outcome[] = []
  for (const event of translation.events) outcomes.push(await handleRepositoryEvent(ctx, db, { project, event, by }))
  return outcomeOf(outcomes)
}

/**
 * A git host has an id of its own for the repository. The first one that comes together with the project's address is the
 * project's; from then on another repository has no say, however it is called. What is fetched is the project's address alone.
 */
async function isOfProject(db: Kysely<Tables>, webhook: Webhook, { repository }: Told): Promise<boolean> {
  const { projectId, repoUrl, repositoryExternalId: known } = webhook
  if (known !== null) return repository?.id === known
  if (!repository) return true
  const isNamed = repository.addresses.some((address) => isSameRepository(address, repoUrl))
  if (isNamed) await updateRepositoryExternalId(db, projectId, repository.id)
  return true
}
