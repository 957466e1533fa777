// Deletes a webhook with whatever waits to be sent to it.
import { receiverHostOf } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { deleteHook as deleteRow } from '../../store/hooks/hooks.ts'
import { findHookForUpdate } from './find-hook-for-update.ts'

export async function deleteHook(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const { organizationId, url } = await findHookForUpdate(tx, actor, id)
    await deleteRow(tx, id)
    await tx.audit({ organizationId, action: 'hook.deleted', target: { kind: 'hook', id, name: receiverHostOf(url) } })
  })
}
