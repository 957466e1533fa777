// Handles an event of a git host: creates, deploys and removes environments by the rules of the project.
import type { Context } from '../../context.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import type { RepositoryEvent } from '../../domain/repository/repository-event.ts'
import type { Change } from '../../store/change.ts'
import type { Project } from '../../store/projects/projects.ts'
import type { GatheredFacts } from './gather-facts.ts'
import { handleCheckRequest } from './handle-check-request.ts'
import { handleComment } from './handle-comment.ts'
import { handlePullRequest } from './handle-pull-request.ts'
import { handlePush } from './handle-push.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

type EventToHandle = {
  readonly project: Project
  readonly event: RepositoryEvent
  readonly by: Automatic
  readonly facts: GatheredFacts
  /** The same delivery arrived before and had no effect. */
  readonly isSentAgain?: boolean
  /** The row of the delivery; null if the event came by itself. */
  readonly deliveryId?: number | null
}

/** The caller has locked the project. */
export async function handleRepositoryEvent(
  ctx: Context,
  tx: Change,
  { project, event, by, facts, isSentAgain = false, deliveryId = null }: EventToHandle,
): Promise<EventOutcome> {
  if (project.isDeleting) return ignored('project_deleting')
  if (event.kind === 'ping') return accepted()
  if (event.kind === 'push') return handlePush(ctx, tx, { project, push: event, by, facts, isSentAgain })
  if (event.kind === 'comment') return handleComment(ctx, tx, { project, event, by, facts, deliveryId })
  // A hint, which is taken when the delivery arrives.
  if (event.kind === 'checks_changed') return ignored('nothing_new')
  if (event.kind === 'check_request') return handleCheckRequest(ctx, tx, { project, request: event, deliveryId })
  return handlePullRequest(ctx, tx, { project, event, by, facts, isSentAgain })
}
