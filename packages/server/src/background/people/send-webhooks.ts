// Sends webhooks of projects.
import type { Context } from '../../context.ts'
import { hookSecretContext } from '../../domain/encryption-context.ts'
import { recordOutcome, returnDelivery, takeNextDelivery } from '../../operations/hooks/deliveries.ts'
import type { Receivers } from '../../receivers/receivers.ts'
import { signMessage } from '../../secrets/signing-secret.ts'
import type { TakenDelivery } from '../../store/hooks/hook-queue.ts'
import { createDeliverySender, type DeliveryLoop, type DeliverySender, loopDeliveries } from './delivery-sender.ts'

const MAX_PER_HOOK = 2

export const sendWebhooks = (ctx: Context, receivers: Receivers): DeliveryLoop =>
  loopDeliveries(ctx, 'sending webhooks', (onRoom) => createWebhookSender(ctx, receivers, onRoom))

/** Deliveries that a stop aborts go back to the queue. */
export function createWebhookSender(
  ctx: Context,
  receivers: Receivers,
  onRoom: () => void = () => undefined,
): DeliverySender {
  return createDeliverySender<TakenDelivery>(
    {
      maxPerReceiver: MAX_PER_HOOK,
      receiverOf: ({ hook }) => hook,
      take: ({ busyReceivers, busyOrganizations }) =>
        takeNextDelivery(ctx, { busyHooks: busyReceivers, busyOrganizations }),
      send: (taken, signal) => send(ctx, receivers, taken, signal),
      onFault: (error, { hook }) => ctx.log.error({ err: error, hook: hook.id }, 'sending to a webhook failed'),
    },
    onRoom,
  )
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
