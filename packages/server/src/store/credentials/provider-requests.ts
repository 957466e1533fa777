// Rows of provider_requests: sign-ins with the provider that are under way.
import { type Insertable, PostgresAdapter, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** Deletes expired ones first, so that the table holds at most ten minutes of requests. */
export async function insertProviderRequest(
  tx: Change,
  values: Insertable<Tables['provider_requests']>,
  now: number,
): Promise<void> {
  // Skips locked rows: concurrent deletions could deadlock.
  const skip = tx.getExecutor().adapter instanceof PostgresAdapter ? sql`for update skip locked` : sql``
  await sql`delete from provider_requests where token_digest in
    (select token_digest from provider_requests where expires_at <= ${now} ${skip})`.execute(tx)
  await tx.insertInto('provider_requests').values(values).execute()
}

export type ProviderRequest = { readonly userId: number | null; readonly next: string }

/** For the one caller who uses it up; later callers get undefined. */
export async function deleteProviderRequest(
  tx: Change,
  digest: string,
  now: number,
): Promise<ProviderRequest | undefined> {
  return tx
    .deleteFrom('provider_requests')
    .where('token_digest', '=', digest)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'next'])
    .executeTakeFirst()
}
