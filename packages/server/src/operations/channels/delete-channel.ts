// Deletes a channel with whatever waits to be sent to it.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { deleteChannel as deleteRow } from '../../store/channels/channels.ts'
import { findChannelForUpdate } from './find-channel-for-update.ts'

export async function deleteChannel(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const channel = await findChannelForUpdate(tx, actor, id)
    await deleteRow(tx, channel)
    await tx.audit({
      organizationId: channel.organizationId,
      action: 'channel.deleted',
      target: { kind: 'channel', id, name: channel.name },
    })
  })
}
