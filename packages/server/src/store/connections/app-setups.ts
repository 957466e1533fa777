// Rows of app_setups: GitHub Apps that are being set up. A connection has one at a time; the newest counts.
import type { Insertable } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

type AppSetup = Insertable<Tables['app_setups']>

export async function replaceAppSetup(tx: Change, setup: AppSetup): Promise<void> {
  await tx.deleteFrom('app_setups').where('connection_id', '=', setup.connection_id).execute()
  await tx.insertInto('app_setups').values(setup).execute()
}

/** True for the one caller who uses it up. */
export async function deleteAppSetup(tx: Change, { expires_at: now, ...wanted }: AppSetup): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('app_setups')
    .where((where) => where.and(wanted))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
