// Keeps a delivery that was not genuine for the project's people to see, after it was answered.
import type { Context } from '../context.ts'
import { insertDelivery } from '../store/deliveries.ts'

type Refused = { readonly projectId: number; readonly deliveryId: string; readonly event: string }

export function noteRefusedDelivery(ctx: Context, { projectId, deliveryId, event }: Refused): void {
  ctx.afterwards(() =>
    ctx.db.transaction().execute((db) =>
      insertDelivery(db, {
        project_id: projectId,
        delivery_id: deliveryId,
        event,
        verdict: 'refused',
        reason: 'signature_invalid',
        received_at: ctx.clock(),
      }),
    ),
  )
}
