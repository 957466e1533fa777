// Applies the oldest stored delivery of a project: its effect and its verdict in one transaction. A failed one is retried a few
// times while later ones wait; then it gets the verdict `failed`.
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { lockProject } from '../../store/projects/projects.ts'
import {
  findOldestStored,
  type StoredDelivery,
  updateAttempts,
  updateNextAttempt,
  updateVerdict,
} from '../../store/repository-events/inbox.ts'
import { applyDelivery, contentOf } from './apply-delivery.ts'
import { type GatheredFacts, gatherFacts } from './gather-facts.ts'

/** Pauses between attempts. After the last one it is given up. */
const DELAYS_MS = [2_000, 10_000, 30_000, 60_000]

type TakenDelivery = {
  readonly id: number
  readonly outcome: {
    readonly verdict: 'accepted' | 'duplicate' | 'ignored' | 'failed'
    readonly reason: string | null
  }
  /** The branch that it deploys. */
  readonly deploys: string | null
}

/** The oldest delivery, with what was asked outside about it. */
export type PreparedDelivery = { readonly id: number; readonly facts: GatheredFacts }

/** Before its turn: git hosts are slow. Undefined if nothing is due. */
export async function prepareOldestDelivery(ctx: Context, projectId: number): Promise<PreparedDelivery | undefined> {
  const stored = await findOldestStored(ctx.db, projectId)
  if (!stored?.isDue) return undefined
  const { delivered } = contentOf(stored)
  return {
    id: stored.id,
    facts: await gatherFacts(ctx, projectId, typeof delivered === 'string' ? [] : delivered.events),
  }
}

/**
 * Undefined if nothing is due, or the oldest is not the prepared one. `isFirstTry` says whether this process has just stored a delivery:
 * that attempt is counted already, every other one is counted before it begins.
 */
export async function applyOldestDelivery(
  ctx: Context,
  projectId: number,
  { prepared, isFirstTry }: { readonly prepared: PreparedDelivery; readonly isFirstTry: (id: number) => boolean },
): Promise<TakenDelivery | undefined> {
  let counted: number | undefined
  for (;;) {
    const isCounted = (id: number): boolean => id === counted || isFirstTry(id)
    const tried = await tryOldest(ctx, projectId, { prepared, isCounted })
    if (!tried || 'outcome' in tried) return tried
    await updateAttempts(ctx.db, tried.uncounted)
    counted = tried.uncounted
  }
}

type AppliedDelivery = TakenDelivery | { readonly uncounted: number } | undefined

async function tryOldest(
  ctx: Context,
  projectId: number,
  { prepared, isCounted }: { readonly prepared: PreparedDelivery; readonly isCounted: (id: number) => boolean },
): Promise<AppliedDelivery> {
  let stored: StoredDelivery | undefined
  try {
    return await ctx.change(PLATFORM, async (tx) => {
      await lockProject(tx, projectId)
      stored = await findOldestStored(tx, projectId)
      if (!stored?.isDue || stored.id !== prepared.id) return undefined
      if (!isCounted(stored.id)) return { uncounted: stored.id }
      // Every attempt ended with the process.
      if (stored.attempts > DELAYS_MS.length + 1) throw new Error('It was begun too often and never ended')
      const effect = await applyDelivery(ctx, tx, { projectId, stored, facts: prepared.facts })
      const { mayFreeSlot, verdict, reason, detail, environmentId, deploys } = effect
      await updateVerdict(tx, { id: stored.id, projectId }, { verdict, reason, detail, environmentId })
      if (verdict === 'accepted' && mayFreeSlot) tx.notify({ about: 'slots', id: projectId })
      return { id: stored.id, outcome: { verdict, reason }, deploys }
    })
  } catch (error) {
    if (!stored) throw error
    return postpone(ctx, projectId, { stored, error })
  }
}

type FailedDelivery = { readonly stored: StoredDelivery; readonly error: unknown }

async function postpone(ctx: Context, projectId: number, { stored, error }: FailedDelivery): Promise<AppliedDelivery> {
  const { id, attempts } = stored
  ctx.log.error({ err: error, project: projectId, delivery: stored.deliveryId, attempts }, 'could not apply a delivery')
  const afterMs = DELAYS_MS[attempts - 1]
  if (afterMs !== undefined) {
    await updateNextAttempt(ctx.db, id, afterMs)
    return undefined
  }
  const reason = error instanceof AppError ? error.code : 'internal_error'
  const outcome = { verdict: 'failed', reason } as const
  await ctx.change(PLATFORM, (tx) => updateVerdict(tx, { id, projectId }, outcome))
  return { id, outcome, deploys: null }
}
