// Records a delivery with an invalid signature, for the project's members to see, after the response.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { Busy, limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { insertRefusedDelivery } from '../../store/repository-events/deliveries.ts'

type RefusedDelivery = {
  readonly projectId: number
  readonly deliveryId: string
  readonly event: string
  /** The git host that it seems to come from, if that is not the project's. */
  readonly sentBy: RepositoryHost | null
}

/** If invalid deliveries arrive faster than they can be recorded, some are left out of the list. */
const inTurn = limitConcurrency({ concurrency: 1, maxQueued: 20 })

export function recordRefusedDelivery(ctx: Context, refused: RefusedDelivery): void {
  ctx.afterwards(async () => {
    try {
      await inTurn(() => note(ctx, refused))
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      ctx.log.debug({ project: refused.projectId }, 'did not record a refused delivery: too many arrive')
    }
  })
}

async function note(ctx: Context, { projectId, deliveryId, event, sentBy }: RefusedDelivery): Promise<void> {
  await ctx.change(PLATFORM, (tx) =>
    insertRefusedDelivery(tx, {
      project_id: projectId,
      delivery_id: deliveryId,
      event,
      reason: 'signature_invalid',
      received_at: ctx.clock(),
      sent_by: sentBy,
    }),
  )
}
