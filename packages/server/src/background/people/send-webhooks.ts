// Sends webhooks: many at once, but few of one organization and fewer of one webhook, so that a slow receiver delays only its own.
import type { Context } from '../../context.ts'
import { hookSecretContext } from '../../domain/encryption-context.ts'
import { recordOutcome, returnDelivery, takeNextDelivery } from '../../operations/hooks/deliveries.ts'
import type { Receivers } from '../../receivers/receivers.ts'
import { createLoop, type Loop } from '../../scheduling/loop.ts'
import { signMessage } from '../../secrets/signing-secret.ts'
import type { TakenDelivery } from '../../store/hooks/hook-queue.ts'

/** Per process. */
const MAX_IN_FLIGHT = 64
const MAX_PER_ORGANIZATION = 6
const MAX_PER_HOOK = 2

export type WebhookSender = {
  /** Starts as many due deliveries as the limits allow; resolves when they are in flight. */
  sendDue(signal: AbortSignal): Promise<void>
  /** Resolves when no delivery is in flight. */
  settled(): Promise<void>
}

const EVERY_MS = 2_000

/** A delivery that ends makes room for the next one, so it wakes the loop. */
export function sendWebhooks(ctx: Context, receivers: Receivers): Pick<Loop, 'start' | 'wake' | 'stop'> {
  const sender = createWebhookSender(ctx, receivers, () => loop.wake())
  const loop = createLoop({
    everyMs: EVERY_MS,
    work: (signal) => sender.sendDue(signal),
    onError: (error) => ctx.log.error({ err: error }, 'sending webhooks failed'),
  })
  return { ...loop, stop: () => loop.stop().then(sender.settled) }
}

/** Calls `onRoom` whenever a delivery has ended. Deliveries that a stop aborts go back to the queue. */
export function createWebhookSender(
  ctx: Context,
  receivers: Receivers,
  onRoom: () => void = () => undefined,
): WebhookSender {
  const inFlight = new Map<TakenDelivery, Promise<void>>()
  const busy = () => {
    const hooks = [...inFlight.keys()].map(({ hook }) => hook)
    return {
      busyHooks: repeated(
        hooks.map(({ id }) => id),
        MAX_PER_HOOK,
      ),
      busyOrganizations: repeated(
        hooks.map(({ organizationId }) => organizationId),
        MAX_PER_ORGANIZATION,
      ),
    }
  }
  const begin = (taken: TakenDelivery, signal: AbortSignal): void => {
    const sent = send(ctx, receivers, taken, signal)
      .catch((error: unknown) => ctx.log.error({ err: error, hook: taken.hook.id }, 'sending to a webhook failed'))
      .finally(() => {
        inFlight.delete(taken)
        onRoom()
      })
    inFlight.set(taken, sent)
  }
  return {
    sendDue: async (signal) => {
      while (!signal.aborted && inFlight.size < MAX_IN_FLIGHT) {
        const taken = await takeNextDelivery(ctx, busy())
        if (!taken) return
        begin(taken, signal)
      }
    },
    settled: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight.values())
    },
  }
}

/** Ids that occur at least `times` times. */
function repeated(ids: readonly number[], times: number): readonly number[] {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].flatMap(([id, count]) => (count >= times ? [id] : []))
}

async function send(ctx: Context, receivers: Receivers, taken: TakenDelivery, signal: AbortSignal): Promise<void> {
  const { hook, messageId: id, body } = taken
  const attemptedAt = ctx.clock()
  const begunAt = performance.now()
  const timestamp = String(Math.floor(attemptedAt / 1000))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signMessage(secretsOf(ctx, hook, attemptedAt), { id, timestamp, body }),
  }
  const outcome = await receivers.send({ url: hook.url, headers, body }, signal).catch(async (error: unknown) => {
    await returnDelivery(ctx, taken)
    if (!signal.aborted) throw error
  })
  if (!outcome) return
  const durationMs = Math.round(performance.now() - begunAt)
  await recordOutcome(ctx, taken, { ...outcome, attemptedAt, durationMs })
}

/** The newest first, and the previous one while receivers may still verify with it. */
function secretsOf(ctx: Context, hook: TakenDelivery['hook'], now: number) {
  const { secretSealed, earlierSecretSealed: earlier, earlierUntil } = hook
  const sealed = [secretSealed, ...(earlier !== null && earlierUntil !== null && now < earlierUntil ? [earlier] : [])]
  return sealed.map((text) => ctx.box.open(text, hookSecretContext(hook.sealId)))
}
