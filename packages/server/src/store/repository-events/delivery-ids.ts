// Rows of delivery_ids: which deliveries of a project were taken, and whether anything followed. Kept for longer than they are shown.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

const KEPT_MS = 90 * 86_400_000

type DeliveryName = { readonly projectId: number; readonly deliveryId: string }

/** Undefined if it was never taken. */
export async function findDeliveryId(
  db: Kysely<Tables>,
  { projectId, deliveryId }: DeliveryName,
): Promise<{ readonly tookEffect: boolean } | undefined> {
  const row = await db
    .selectFrom('delivery_ids')
    .where('project_id', '=', projectId)
    .where('delivery_id', '=', deliveryId)
    .select('took_effect')
    .executeTakeFirst()
  return row && { tookEffect: row.took_effect === 1 }
}

export async function writeDeliveryId(
  db: Kysely<Tables>,
  { projectId, deliveryId, tookEffect, at }: DeliveryName & { readonly tookEffect: boolean; readonly at: number },
): Promise<void> {
  const values = { received_at: at, took_effect: tookEffect ? 1 : 0 } as const
  await db
    .insertInto('delivery_ids')
    .values({ project_id: projectId, delivery_id: deliveryId, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'delivery_id']).doUpdateSet(values))
    .execute()
}

export async function deleteOldDeliveryIds(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('delivery_ids')
    .where('received_at', '<', now - KEPT_MS)
    .execute()
}
