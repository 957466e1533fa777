// Changes the address and the events of a webhook, or turns it off and on.
import type { HookChanges } from '@shipway/api/hooks'
import { receiverHostOf } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { endPendingDeliveries } from '../../store/hooks/hook-deliveries.ts'
import { findHook, type Hook, updateHook as updateRow } from '../../store/hooks/hooks.ts'
import { orNotFound } from '../or-not-found.ts'
import { refuseReceiver } from './create-hook.ts'
import { findHookForUpdate } from './find-hook-for-update.ts'

export async function updateHook(ctx: Context, actor: Actor, id: number, changes: HookChanges): Promise<Hook> {
  return ctx.change(actor, async (tx) => {
    const hook = await findHookForUpdate(tx, actor, id)
    const { url, events, enabled } = changes
    if (url !== undefined) refuseReceiver(ctx, url)
    const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (fields.length === 0) return hook
    await updateRow(tx, id, {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
      // Turning it on says that the problem was fixed.
      ...(enabled !== undefined && { is_enabled: enabled ? 1 : 0, disabled_reason: null, failing_since: null }),
      updated_at: ctx.clock(),
    })
    if (enabled === false) await endPendingDeliveries(tx, id, 'The webhook was turned off before this was sent')
    await tx.audit({
      organizationId: hook.organizationId,
      action: 'hook.updated',
      target: { kind: 'hook', id, name: receiverHostOf(url ?? hook.url) },
      fields,
    })
    return orNotFound(await findHook(tx, actor, id), 'webhook')
  })
}
