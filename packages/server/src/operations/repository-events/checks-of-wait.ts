// What follows when the checks of a waiting commit were looked at: it is deployed, waits on, or ends without a deployment.
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import { AppError } from '../../domain/errors.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { askedPauseMs } from '../../domain/repository/asked-pause.ts'
import { SETTLE_MS } from '../../domain/repository/commit-checks.ts'
import { isWholeHash } from '../../domain/repository/reported-values.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import { type BusyOwners, NONE_BUSY } from '../../store/busy-owners.ts'
import type { Change } from '../../store/change.ts'
import { findEnvironmentAnywhere, lockEnvironment } from '../../store/environments/environments.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { postponeWoken } from '../../store/queue.ts'
import {
  deleteWait,
  findLeasedWait,
  type LeasedWait,
  type StoredWait,
  takeWait,
  updateWait,
  updateWaitCommit,
} from '../../store/repository-events/check-waits.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { storedReason } from './stored-reason.ts'

/** Longer than the requests of one look take. */
const LEASE_MS = 2 * 60_000
/** Git hosts also say by webhook when checks have changed. */
const PAUSES = { firstMs: 10_000, mostMs: 60_000 }

export const takeNextWait = (ctx: Context, busy: BusyOwners = NONE_BUSY): Promise<LeasedWait | undefined> =>
  takeWait(ctx.db, LEASE_MS, busy)

/** All that count are green, or the project does not wait any more. Settings of the environment may have changed since it began to wait. */
export async function deployCheckedCommit(ctx: Context, wait: LeasedWait): Promise<void> {
  try {
    await ctx.change(PLATFORM, async (tx) => {
      const environment = await lockWait(tx, wait)
      if (!environment) return
      await deleteWait(tx, wait.environmentId)
      if (environment.isProtected || !environment.autoDeploy || isBeingRemoved(environment.tasks)) return
      // Without a wait, the newest commit of the branch takes the place of an abbreviated one.
      const commit = isWholeHash(wait.sha) ? wait.sha : undefined
      await queueDeployment(ctx, tx, environment, { by: PLATFORM, cause: wait.cause, commit })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    ctx.log.info({ err: error, environment: wait.environmentId }, 'a commit with green checks is not deployed')
    await ctx.change(PLATFORM, (tx) => deleteWait(tx, wait.environmentId, wait.sha))
  }
}

/** Undefined if the environment is gone, or another commit or process has taken over. */
async function lockWait(tx: Change, wait: LeasedWait) {
  await lockProject(tx, wait.projectId)
  await lockEnvironment(tx, wait.environmentId)
  const current = await findLeasedWait(tx, wait)
  return current && findEnvironmentAnywhere(tx, wait.environmentId)
}

/** The whole hash of a commit that an event has abbreviated: events about its checks name it so. */
export async function recordCommit(ctx: Context, wait: LeasedWait, sha: string): Promise<LeasedWait> {
  if (sha !== wait.sha) await ctx.change(PLATFORM, (tx) => updateWaitCommit(tx, wait, sha))
  return { ...wait, sha }
}

type Seen = Partial<Pick<StoredWait, 'state' | 'names' | 'isResolved' | 'openChecks' | 'greenSince'>>

/** Waits on, or ends with the names of the checks. */
export async function recordChecks(ctx: Context, wait: LeasedWait, seen: Seen): Promise<void> {
  const after = { ...wait, ...seen }
  const isSettling = after.greenSince !== null
  const pauseMs = isSettling ? SETTLE_MS : exponentialBackOff(wait.attempts, PAUSES)
  const afterMs = Math.min(pauseMs, Math.max(wait.deadlineAt - ctx.clock(), 0))
  await ctx.change(PLATFORM, async (tx) => {
    const isOurs = await updateWait(tx, wait, { ...after, afterMs })
    if (isOurs && (after.state !== wait.state || after.openChecks.join() !== wait.openChecks.join()))
      await reportWait(ctx, tx, wait)
  })
}

async function reportWait(ctx: Context, tx: Change, { environmentId, projectId }: LeasedWait): Promise<void> {
  const number = (await findEnvironmentAnywhere(tx, environmentId))?.pullRequest?.number
  if (number !== undefined) await insertOutboxPullRequest(tx, { projectId, number, at: ctx.clock() })
}

/** The git host did not answer. After the deadline it is given up. */
export async function postponeChecks(ctx: Context, wait: LeasedWait, error: unknown): Promise<void> {
  if (ctx.clock() >= wait.deadlineAt) return recordChecks(ctx, wait, { state: 'timed_out' })
  const askedMs = askedPauseMs(error)
  const pauseMs = Math.max(exponentialBackOff(wait.attempts, PAUSES), askedMs)
  const afterMs = Math.min(pauseMs, Math.max(wait.deadlineAt - ctx.clock(), 0))
  await postponeWoken(ctx.db, 'check_waits', { ...wait, afterMs, askedMs, error: storedReason(error) })
}
