// Keeps a delivery that was not genuine for the project's people to see, after it was answered.
import type { RepositoryHost } from '@shipway/api/projects'
import type { Context } from '../context.ts'
import { insertDelivery } from '../store/deliveries.ts'

type Refused = {
  readonly projectId: number
  readonly deliveryId: string
  readonly event: string
  /** The git host that it looks like, where that is not the one of the project. */
  readonly sentBy: RepositoryHost | null
}

export function noteRefusedDelivery(ctx: Context, { projectId, deliveryId, event, sentBy }: Refused): void {
  ctx.afterwards(() =>
    ctx.db.transaction().execute((db) =>
      insertDelivery(db, {
        project_id: projectId,
        delivery_id: deliveryId,
        event,
        verdict: 'refused',
        reason: 'signature_invalid',
        received_at: ctx.clock(),
        sent_by: sentBy,
      }),
    ),
  )
}
