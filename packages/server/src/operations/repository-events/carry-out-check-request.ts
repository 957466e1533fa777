// Carries out what a user asked for at GitHub, once GitHub has said whether that account may write to the repository. The one who may
// can push the same commit to a branch of the repository, so a button allows no more than a push would.
import type { Context } from '../../context.ts'
import { AppError, EnvironmentRemoving, TooLate } from '../../domain/errors.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { askedPauseMs } from '../../domain/repository/asked-pause.ts'
import { isSameCommit } from '../../domain/repository/repository-event.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironmentAnywhere, lockEnvironment } from '../../store/environments/environments.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import { type LeasedCheckRequest, takeCheckRequest } from '../../store/repository-events/check-requests.ts'
import { updateOutcome } from '../../store/repository-events/deliveries.ts'
import { findLatestDeployment } from '../../store/tasks/tasks.ts'
import { approveCommit } from '../environments/approve-environment.ts'
import { restartLifetime } from '../environments/extend-environment.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { storedReason } from './stored-reason.ts'

/** Longer than any request takes. */
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 5 * 60_000 }
/** A rate limit of GitHub starts anew within an hour. */
const MOST_PAUSE_MS = 60 * 60_000
/** About half an hour: by then the person has done something else. */
const MOST_ATTEMPTS = 10

export const takeNextCheckRequest = (ctx: Context, busy: BusyOwners): Promise<LeasedCheckRequest | undefined> =>
  takeCheckRequest(ctx.db, LEASE_MS, busy)

export async function carryOutCheckRequest(ctx: Context, request: LeasedCheckRequest): Promise<void> {
  // The audit log shows the account as the place that the call came from.
  const by = { userId: null, name: 'GitHub', origin: { address: `github:${request.sender}`, requestId: '' } }
  try {
    await ctx.change(by, async (tx) => {
      await lockProject(tx, request.projectId)
      await lockEnvironment(tx, request.environmentId)
      const environment = await findEnvironmentAnywhere(tx, request.environmentId)
      if (!environment) throw EnvironmentRemoving()
      await carryOut(ctx, tx, { environment, request, by })
      await end(tx, request, { verdict: 'accepted', reason: null })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    await refuseCheckRequest(ctx, request, error.code)
  }
}

type RequestOfEnvironment = {
  readonly environment: Environment
  readonly request: LeasedCheckRequest
  readonly by: Automatic
}

async function carryOut(ctx: Context, tx: Change, { environment, request, by }: RequestOfEnvironment): Promise<void> {
  const { action, sha } = request
  if (action === 'extend') return restartLifetime(ctx, tx, environment, by)
  const start = { by, cause: environment.pullRequest ? 'pull_request' : 'push', commit: sha } as const
  if (action === 'approve') {
    await approveCommit(ctx, tx, environment, start)
    return
  }
  const newest = environment.pullRequest?.headSha ?? (await findLatestDeployment(tx, environment.id))?.commit?.sha
  if (!newest || !isSameCommit(newest, sha)) throw TooLate('The environment has moved on to another commit')
  if (environment.tasks.queued ?? environment.tasks.running) throw TooLate('A task of the environment is active')
  await queueDeployment(ctx, tx, environment, start)
}

/** The delivery that it came with says why. */
export async function refuseCheckRequest(ctx: Context, request: LeasedCheckRequest, reason: string): Promise<void> {
  const by = { userId: null, name: 'GitHub', origin: { address: '', requestId: '' } }
  await ctx.change(by, (tx) => end(tx, request, { verdict: 'ignored', reason }))
}

async function end(
  tx: Change,
  request: LeasedCheckRequest,
  outcome: Parameters<typeof updateOutcome>[2],
): Promise<void> {
  const { deliveryId, projectId } = request
  await deleteLeased(tx, 'check_requests', request)
  if (deliveryId !== null) await updateOutcome(tx, { id: deliveryId, projectId }, outcome)
}

export async function postponeCheckRequest(ctx: Context, request: LeasedCheckRequest, error: unknown): Promise<void> {
  if (request.attempts >= MOST_ATTEMPTS) return refuseCheckRequest(ctx, request, 'git_host_unreachable')
  const afterMs = Math.max(exponentialBackOff(request.attempts, PAUSES), Math.min(askedPauseMs(error), MOST_PAUSE_MS))
  await postponeLeased(ctx.db, 'check_requests', { ...request, afterMs, error: storedReason(error) })
}
