// Applies a stored delivery, in the transaction that ends it.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import type { Automatic, Origin } from '../../domain/people/actor.ts'
import { compareRepository } from '../../domain/project.ts'
import { type EventReason, leavesOpen, type RepositoryEvent } from '../../domain/repository/repository-event.ts'
import { HOST_NAMES } from '../../domain/repository/repository-hosts.ts'
import type { Change } from '../../store/change.ts'
import { findProjectAnywhere, type Project } from '../../store/projects/projects.ts'
import { findDeliveryId, writeDeliveryId } from '../../store/repository-events/delivery-ids.ts'
import type { StoredDelivery } from '../../store/repository-events/inbox.ts'
import {
  findWebhookOfProject,
  updateGuessedHost,
  updateRepositoryExternalId,
  type Webhook,
} from '../../store/repository-events/webhooks.ts'
import { movedBranch } from './fetch-early.ts'
import type { GatheredFacts } from './gather-facts.ts'
import { handleRepositoryEvent } from './handle-repository-event.ts'
import { type EventOutcome, ignored, outcomeOf } from './outcome.ts'

export type DeliveredEvents = {
  readonly repository: { readonly id: string; readonly addresses: readonly string[] } | null
  readonly events: readonly RepositoryEvent[]
}

/** What is stored of a delivery until it is applied. */
export type StoredContent = {
  readonly deliveryKey: string
  readonly delivered: DeliveredEvents | EventReason
  /** The git host whose signature was verified. */
  readonly host: RepositoryHost
  /** The repository address whose git host it confirms; null if that was known. The project's address may change before it is applied. */
  readonly showsHostOf: string | null
  readonly origin: Origin
}

type Effect = {
  readonly verdict: 'accepted' | 'duplicate' | 'ignored'
  readonly reason: EventReason | null
  readonly detail: string | null
  readonly environmentId: number | null
  /** An environment may have been removed, which frees its slot. */
  readonly mayFreeSlot: boolean
  /** The branch that it deploys. */
  readonly deploys: string | null
}

/** The caller has locked the project. */
export async function applyDelivery(
  ctx: Context,
  tx: Change,
  {
    projectId,
    stored,
    facts,
  }: { readonly projectId: number; readonly stored: StoredDelivery; readonly facts: GatheredFacts },
): Promise<Effect> {
  const content = contentOf(stored)
  const named = { projectId, deliveryId: content.deliveryKey }
  const earlier = await findDeliveryId(tx, named)
  if (earlier?.tookEffect)
    return { verdict: 'duplicate', reason: null, detail: null, environmentId: null, mayFreeSlot: false, deploys: null }
  const {
    isAccepted,
    reason,
    detail = null,
    environmentId = null,
  } = await handleAll(ctx, tx, { projectId, content, facts, isSentAgain: earlier !== undefined, deliveryId: stored.id })
  await writeDeliveryId(tx, { ...named, tookEffect: isAccepted, at: ctx.clock() })
  const verdict = isAccepted ? 'accepted' : 'ignored'
  const deploys =
    isAccepted && reason === null && typeof content.delivered !== 'string'
      ? movedBranch(content.delivered.events)
      : null
  return { verdict, reason, detail, environmentId, mayFreeSlot: isAccepted && mayFreeSlot(content.delivered), deploys }
}

/** `told` is the key in stored rows, which a neighbouring release may have written or may read. */
export const toStoredJson = ({ delivered, ...rest }: StoredContent): string =>
  JSON.stringify({ ...rest, told: delivered })

export function contentOf({ content }: StoredDelivery): StoredContent {
  const { told: delivered, ...rest } = JSON.parse(content)
  return { ...rest, delivered }
}

const mayFreeSlot = (delivered: DeliveredEvents | EventReason): boolean =>
  typeof delivered !== 'string' &&
  delivered.events.some((event) => event.kind === 'pull_request' && !leavesOpen(event.action))

type DeliveryToHandle = {
  readonly projectId: number
  readonly content: StoredContent
  readonly facts: GatheredFacts
  readonly isSentAgain: boolean
  /** Its row. */
  readonly deliveryId: number
}

async function handleAll(ctx: Context, tx: Change, taken: DeliveryToHandle): Promise<EventOutcome> {
  const { projectId, content, facts, isSentAgain, deliveryId } = taken
  const { delivered, host, origin } = content
  const [kept, project] = [await findWebhookOfProject(tx, projectId), await findProjectAnywhere(tx, projectId)]
  if (!kept || !project) return ignored('project_deleting')
  const webhook = { ...kept, repositoryHost: host }
  const by = { userId: null, name: HOST_NAMES[host], origin }
  if (content.showsHostOf === kept.repoUrl) await confirmHost(tx, webhook, by)
  if (typeof delivered === 'string') return ignored(delivered)
  // A ping has no effect; that of a whole organization names no repository.
  const isPing = delivered.events.every(({ kind }) => kind === 'ping')
  if (!(await isOfProject(tx, { webhook, project, delivered, by })) && !isPing) return ignored('other_repository')
  const outcomes: EventOutcome[] = []
  for (const event of delivered.events) {
    outcomes.push(await handleRepositoryEvent(ctx, tx, { project, event, by, facts, isSentAgain, deliveryId }))
  }
  return outcomeOf(outcomes)
}

type Sender = {
  readonly webhook: Webhook
  readonly project: Project
  readonly delivered: DeliveredEvents
  readonly by: Automatic
}

/**
 * A git host has its own id for the repository. The id that arrives with the project's address is the project's: from
 * then on the repository may be renamed, and events of other ids are ignored. A new id with that address is a repository that was
 * created again in its place, by a person who knows the webhook's secret. With a connection the platform itself adds the webhook, so the
 * secret proves nothing, and the id never changes. Only the project's address is ever fetched.
 */
async function isOfProject(tx: Change, { webhook, project, delivered, by }: Sender): Promise<boolean> {
  const { repository } = delivered
  const { repositoryExternalId: known, repoUrl } = webhook
  if (!repository) return known === null
  if (known === repository.id) return true
  if (known !== null && project.connectionId !== null) return false
  const comparison = compareRepository(repository.addresses, repoUrl)
  if (comparison !== 'same') return known === null && comparison !== 'other'
  await updateRepositoryExternalId(tx, project.id, repository.id)
  if (known !== null) {
    await tx.audit(
      {
        organizationId: project.organizationId,
        action: 'project.repository_replaced',
        target: { kind: 'project', id: project.id, name: project.name },
        fields: ['repository_external_id'],
      },
      by,
    )
  }
  return true
}

/** The first verified delivery shows which git host a project has, where that was only guessed from the host's name. */
async function confirmHost(tx: Change, webhook: Webhook, by: Automatic): Promise<void> {
  if (!(await updateGuessedHost(tx, webhook))) return
  const project = await findProjectAnywhere(tx, webhook.projectId)
  if (!project) return
  await tx.audit(
    {
      organizationId: project.organizationId,
      action: 'project.updated',
      target: { kind: 'project', id: project.id, name: project.name },
      fields: ['repository_host'],
    },
    by,
  )
}
