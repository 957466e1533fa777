// Sends messages to channels: one at a time to each, so that they arrive in their order.
import type { Context } from '../../context.ts'
import { deliverMessage, takeNextMessage } from '../../operations/channels/deliveries.ts'
import type { TakenMessage } from '../../store/channels/channel-queue.ts'
import { createDeliverySender, type DeliveryLoop, type DeliverySender, loopDeliveries } from './delivery-sender.ts'

const MAX_PER_CHANNEL = 1

export const sendChannels = (ctx: Context): DeliveryLoop =>
  loopDeliveries(ctx, 'sending to channels', (onRoom) => createChannelSender(ctx, onRoom))

export function createChannelSender(ctx: Context, onRoom: () => void = () => undefined): DeliverySender {
  return createDeliverySender<TakenMessage>(
    {
      maxPerReceiver: MAX_PER_CHANNEL,
      receiverOf: ({ channel }) => channel,
      take: (busy) => takeNextMessage(ctx, busy),
      send: (taken, signal) => deliverMessage(ctx, taken, signal),
      onFault: (error, { channel }) =>
        ctx.log.error({ err: error, channel: channel.id }, 'sending to a channel failed'),
    },
    onRoom,
  )
}
