// Carries out a command in a comment, once the git host has said whether its author may write to the repository.
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { askedPauseMs } from '../../domain/repository/asked-pause.ts'
import { HOST_NAMES } from '../../domain/repository/repository-hosts.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import type { Change } from '../../store/change.ts'
import { findProjectAnywhere, lockProject } from '../../store/projects/projects.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import {
  holdsCommentRequest,
  type LeasedCommentRequest,
  takeCommentRequest,
} from '../../store/repository-events/comment-requests.ts'
import { updateOutcome } from '../../store/repository-events/deliveries.ts'
import { handleComment } from './handle-comment.ts'
import { storedReason } from './stored-reason.ts'

/** Longer than any request takes. */
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 5 * 60_000 }
/** A rate limit starts anew within an hour. */
const MOST_PAUSE_MS = 60 * 60_000
/** About half an hour: by then the person has done something else. */
const MOST_ATTEMPTS = 10

export const takeNextCommentRequest = (ctx: Context, busy: BusyOwners): Promise<LeasedCommentRequest | undefined> =>
  takeCommentRequest(ctx.db, LEASE_MS, busy)

export async function carryOutCommentRequest(
  ctx: Context,
  request: LeasedCommentRequest,
  access: WriteAccess,
): Promise<void> {
  const { id, projectId, event, deliveryId } = request
  const facts = { filesOf: () => undefined, accessOf: () => access }
  try {
    await ctx.change(authorOf(request), async (tx) => {
      await lockProject(tx, projectId)
      const project = await findProjectAnywhere(tx, projectId)
      if (!project || project.isDeleting || !(await holdsCommentRequest(tx, request))) return
      const by = authorOf(request, HOST_NAMES[project.repositoryHost])
      const {
        isAccepted,
        reason,
        detail = null,
      } = await handleComment(ctx, tx, {
        project,
        event,
        by,
        facts,
        deliveryId,
        requestId: id,
      })
      await end(tx, request, { verdict: isAccepted ? 'accepted' : 'ignored', reason, detail })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    await refuse(ctx, request, error.code)
  }
}

/** The audit log shows the account as the place that the command came from. */
const authorOf = ({ event }: LeasedCommentRequest, name = 'Git host'): Automatic => ({
  userId: null,
  name,
  origin: { address: event.author.name, requestId: '' },
})

async function refuse(ctx: Context, request: LeasedCommentRequest, reason: string): Promise<void> {
  await ctx.change(authorOf(request), (tx) => end(tx, request, { verdict: 'ignored', reason, detail: null }))
}

async function end(
  tx: Change,
  request: LeasedCommentRequest,
  outcome: Parameters<typeof updateOutcome>[2],
): Promise<void> {
  const { deliveryId, projectId } = request
  await deleteLeased(tx, 'comment_requests', request)
  if (deliveryId !== null) await updateOutcome(tx, { id: deliveryId, projectId }, outcome)
}

export async function postponeCommentRequest(
  ctx: Context,
  request: LeasedCommentRequest,
  error: unknown,
): Promise<void> {
  if (request.attempts >= MOST_ATTEMPTS) return refuse(ctx, request, 'git_host_unreachable')
  const afterMs = Math.max(exponentialBackOff(request.attempts, PAUSES), Math.min(askedPauseMs(error), MOST_PAUSE_MS))
  await postponeLeased(ctx.db, 'comment_requests', { ...request, afterMs, error: storedReason(error) })
}
