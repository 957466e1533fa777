// Rows of placed_orders: what was ordered from the ACME authority lately, by whom.
import type { Kysely } from 'kysely'
import type { PlacedOrder } from '../../domain/order-shares.ts'
import type { Tables } from '../tables/tables.ts'

/** Those after that time; older ones are deleted. */
export async function listPlacedOrders(db: Kysely<Tables>, after: number): Promise<readonly PlacedOrder[]> {
  await db.deleteFrom('placed_orders').where('placed_at', '<=', after).execute()
  const rows = await db.selectFrom('placed_orders').select(['organization_id', 'placed_at']).execute()
  return rows.map(({ organization_id: organizationId, placed_at: at }) => ({ organizationId, at }))
}

/** Before it is placed, so that one whose end nobody saw is counted. Gives its id. */
export async function insertPlacedOrder(db: Kysely<Tables>, { organizationId, at }: PlacedOrder): Promise<number> {
  const row = await db
    .insertInto('placed_orders')
    .values({ organization_id: organizationId, placed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The authority never got it. */
export async function deletePlacedOrder(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('placed_orders').where('id', '=', id).execute()
}
