// Changes a channel, or turns it off and on.
import type { ChannelChanges } from '@shipway/api/channels'
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { deleteWaitingMessages } from '../../store/channels/channel-queue.ts'
import { type Channel, findChannel, updateChannel as updateRow } from '../../store/channels/channels.ts'
import { orNotFound } from '../or-not-found.ts'
import { sealTarget } from './channel-target.ts'
import { findChannelForUpdate } from './find-channel-for-update.ts'

export async function updateChannel(ctx: Context, actor: Actor, id: number, changes: ChannelChanges): Promise<Channel> {
  return ctx.change(actor, async (tx) => {
    const channel = await findChannelForUpdate(tx, actor, id)
    const { name, url, token, recipient, events, severities, enabled } = changes
    const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (fields.length === 0) return channel
    // Else an administrator could have a token sent to another address, and read it there.
    if (url !== undefined && token === undefined && channel.tokenSealed !== null)
      throw InvalidField('/token', 'required', 'Give the token again: it will be sent to the new address')
    await updateRow(tx, channel, {
      ...sealTarget(ctx, { ...channel, isNew: false }, { url, token, recipient }),
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
      ...(severities !== undefined && { severities: JSON.stringify([...new Set(severities)]) }),
      ...(enabled !== undefined && { is_enabled: enabled ? 1 : 0 }),
      updated_at: ctx.clock(),
    })
    if (enabled === false) await deleteWaitingMessages(tx, id)
    await tx.audit({
      organizationId: channel.organizationId,
      action: 'channel.updated',
      target: { kind: 'channel', id, name: name ?? channel.name },
      fields,
    })
    return orNotFound(await findChannel(tx, actor, id), 'channel')
  })
}
