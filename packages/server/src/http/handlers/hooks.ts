// Requests about the webhooks that the platform sends.
import { createHook } from '../../operations/hooks/create-hook.ts'
import { deleteHook } from '../../operations/hooks/delete-hook.ts'
import { findHook, listHooks } from '../../operations/hooks/find-hook.ts'
import { regenerateHookSecret } from '../../operations/hooks/regenerate-hook-secret.ts'
import { redeliverHook, testHook } from '../../operations/hooks/send-by-hand.ts'
import { updateHook } from '../../operations/hooks/update-hook.ts'
import { listHookDeliveries } from '../../store/hooks/hook-deliveries.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentHook, presentHookDelivery } from '../present/hook.ts'
import { presentTime } from '../present/time.ts'

export const hookHandlers = {
  listHooks: async ({ ctx, actor, params }) => ({
    body: (await listHooks(ctx, actor, params.id)).map(presentHook),
  }),
  createHook: async ({ ctx, actor, params, body }) => {
    const { hook, secret } = await createHook(ctx, actor, { projectId: params.id, wanted: body })
    return {
      body: { ...presentHook(hook), secret: secret.reveal() },
      headers: { location: `/api/hooks/${hook.id}` },
    }
  },
  getHook: async ({ ctx, actor, params }) => ({ body: presentHook(await findHook(ctx, actor, params.id)) }),
  updateHook: async ({ ctx, actor, params, body }) => ({
    body: presentHook(await updateHook(ctx, actor, params.id, body)),
  }),
  deleteHook: async ({ ctx, actor, params }) => {
    await deleteHook(ctx, actor, params.id)
    return {}
  },
  regenerateHookSecret: async ({ ctx, actor, params }) => {
    const { secret, earlierUntil } = await regenerateHookSecret(ctx, actor, params.id)
    return { body: { secret: secret.reveal(), earlier_valid_until: presentTime(earlierUntil) } }
  },
  testHook: async ({ ctx, actor, params }) => ({
    body: presentHookDelivery(await testHook(ctx, actor, params.id)),
  }),
  listHookDeliveries: async ({ ctx, actor, params, query, request }) => {
    const hook = await findHook(ctx, actor, params.id)
    const { items, next } = await listHookDeliveries(ctx.db, hook.id, pageRequest(query))
    return { body: items.map(presentHookDelivery), headers: linkNext(request, next) }
  },
  redeliverHook: async ({ ctx, actor, params }) => {
    const named = { hookId: params.id, id: params.delivery_id }
    return { body: presentHookDelivery(await redeliverHook(ctx, actor, named)) }
  },
} satisfies Handlers
