// Sends a test message to a channel at once, and says what came of it. Also where the channel is turned off.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ChannelMessage } from '../../domain/channels/channel-message.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { countByHand } from '../hooks/send-by-hand.ts'
import type { ChannelOutcome } from './channel-outcome.ts'
import { recordDelivery } from './deliveries.ts'
import { findChannelForUpdate } from './find-channel-for-update.ts'
import { sendToChannel } from './send-to-channel.ts'

export async function testChannel(ctx: Context, actor: Actor, id: number): Promise<ChannelOutcome> {
  const channel = await ctx.change(actor, async (tx) => {
    const channel = await findChannelForUpdate(tx, actor, id)
    await countByHand(ctx, tx, channel.organizationId)
    return channel
  })
  const message: ChannelMessage = {
    event: 'channel.test',
    severity: null,
    title: 'A test message from Shipway',
    text: `${actor.name} sent this to try the channel "${channel.name}". There is nothing to do.`,
    page: `/organizations/${channel.organizationId}/alerts`,
    at: ctx.clock(),
    data: { channel: { id, name: channel.name }, organization_id: channel.organizationId },
  }
  const sent = { key: `msg_${randomUUID().replaceAll('-', '')}`, message }
  const outcome = await sendToChannel(ctx, channel, sent, new AbortController().signal)
  const status = outcome.isDelivered ? 'succeeded' : 'failed'
  await recordDelivery(ctx, channel, { at: ctx.clock(), status, message: outcome.sentence })
  return outcome
}
