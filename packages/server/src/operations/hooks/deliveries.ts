// The life of a delivery: taken, then delivered, retried later, or given up. A webhook that fails for days is turned off.
import { receiverHostOf } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import { type Attempt, hasArrived, pauseAfterAttempt, whyGivenUp } from '../../domain/hooks/attempts.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { endPendingDeliveries } from '../../store/hooks/hook-deliveries.ts'
import {
  releaseDelivery,
  type TakenDelivery,
  takeHookDelivery,
  updateAttempt,
  updateHookArrival,
  updateHookFailure,
} from '../../store/hooks/hook-queue.ts'
import { updateHook } from '../../store/hooks/hooks.ts'

/** Longer than any attempt takes: a process that dies leaves the delivery to the next. */
const LEASE_MS = 60_000

type BusyReceivers = { readonly busyHooks: readonly number[]; readonly busyOrganizations: readonly number[] }

export const takeNextDelivery = (ctx: Context, busy: BusyReceivers): Promise<TakenDelivery | undefined> =>
  takeHookDelivery(ctx.db, { ...busy, leaseMs: LEASE_MS })

export const returnDelivery = (ctx: Context, taken: TakenDelivery): Promise<void> => releaseDelivery(ctx.db, taken)

export type Outcome = Pick<Attempt, 'status' | 'retryAfterMs'> & {
  readonly text: string | null
  /** Why it failed, for users. */
  readonly error: string | null
  readonly attemptedAt: number
  readonly durationMs: number
}

export async function recordOutcome(ctx: Context, taken: TakenDelivery, outcome: Outcome): Promise<void> {
  const { status, retryAfterMs, text, error, attemptedAt, durationMs } = outcome
  const record = { attemptedAt, durationMs, responseStatus: status, responseText: text, error }
  if (hasArrived(outcome)) {
    await updateAttempt(ctx.db, taken, { ...record, status: 'succeeded', pauseMs: 0 })
    await updateHookArrival(ctx.db, taken.hook.id)
    return
  }
  // A test message says nothing about real deliveries and is not retried.
  const isTrial = taken.event === 'hook.test'
  const failingSince = isTrial ? undefined : await updateHookFailure(ctx.db, taken.hook.id, ctx.clock())
  const pauseMs = pauseAfterAttempt({ number: taken.attempts, status, retryAfterMs })
  const isLast = pauseMs === undefined || failingSince === undefined
  await updateAttempt(ctx.db, taken, { ...record, status: isLast ? 'failed' : 'pending', pauseMs: pauseMs ?? 0 })
  if (failingSince === undefined) return
  const reason = whyGivenUp(outcome, { failingSince, now: ctx.clock() })
  if (reason) await turnOff(ctx, taken.hook, reason)
}

const SENTENCES = {
  failing: 'The webhook was turned off: nothing has arrived for three days',
  gone: 'The webhook was turned off: the receiver answered 410, which says that it is gone for good',
} as const

async function turnOff(
  ctx: Context,
  { id, organizationId, url }: TakenDelivery['hook'],
  reason: 'failing' | 'gone',
): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await updateHook(tx, id, { is_enabled: 0, disabled_reason: reason, updated_at: ctx.clock() })
    await endPendingDeliveries(tx, id, SENTENCES[reason])
    await tx.audit({
      organizationId,
      action: 'hook.turned_off',
      target: { kind: 'hook', id, name: receiverHostOf(url) },
      fields: ['enabled'],
    })
  })
}
