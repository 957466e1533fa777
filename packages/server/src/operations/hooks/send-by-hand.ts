// Messages that a user requests: a test message, and a repeated delivery.
import type { Context } from '../../context.ts'
import { RateLimited } from '../../domain/errors.ts'
import { messageText } from '../../domain/hooks/message.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import { takeFromQuota } from '../../store/credentials/counters.ts'
import { findHookDelivery, type HookDelivery, updateForRedelivery } from '../../store/hooks/hook-deliveries.ts'
import { insertMessage } from '../../store/hooks/hook-messages.ts'
import { orNotFound } from '../or-not-found.ts'
import { findHookForUpdate } from './find-hook-for-update.ts'

/** Limit per organization: no user can make the platform flood a third party. */
const MOST = 60
const WINDOW_MS = 10 * 60_000

export async function testHook(ctx: Context, actor: Actor, hookId: number): Promise<HookDelivery> {
  return ctx.change(actor, async (tx) => {
    const hook = await findHookForUpdate(tx, actor, hookId)
    await countByHand(ctx, tx, hook.organizationId)
    const at = ctx.clock()
    const event = 'hook.test'
    const data = { hook: { id: hookId, project_id: hook.projectId }, sent_by: { id: actor.userId, name: actor.name } }
    const body = messageText({ type: event, at, data })
    const [id = 0] = await insertMessage(tx, { projectId: hook.projectId, event, body, at, hookIds: [hookId] })
    return orNotFound(await findHookDelivery(tx, { hookId, id }), 'delivery')
  })
}

type Redelivery = { readonly hookId: number; readonly id: number }

export async function redeliverHook(ctx: Context, actor: Actor, { hookId, id }: Redelivery): Promise<HookDelivery> {
  return ctx.change(actor, async (tx) => {
    const hook = await findHookForUpdate(tx, actor, hookId)
    orNotFound(await findHookDelivery(tx, { hookId, id }), 'delivery')
    await countByHand(ctx, tx, hook.organizationId)
    await updateForRedelivery(tx, { hookId, id })
    return orNotFound(await findHookDelivery(tx, { hookId, id }), 'delivery')
  })
}

export async function countByHand(ctx: Context, tx: Change, organizationId: number): Promise<void> {
  const quota = { key: `hooks by hand ${organizationId}`, most: MOST, windowMs: WINDOW_MS }
  if (!(await takeFromQuota(tx, quota, ctx.clock()))) throw RateLimited(WINDOW_MS / 1000)
}
