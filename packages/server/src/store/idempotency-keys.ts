// Rows of idempotency_keys: one per user and key, with the answer once there is one.
import type { Kysely } from 'kysely'
import type { Tables } from './tables/tables.ts'

type Key = { readonly userId: number; readonly key: string }
type KeyClaim = Key & { readonly claimedAt: number }
type KeptAnswer = { readonly body: string; readonly headers: Record<string, string> }

/** False if the key is there already. */
export async function insertIdempotencyKey(
  db: Kysely<Tables>,
  { userId, key, requestDigest, claimedAt }: KeyClaim & { readonly requestDigest: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_digest: requestDigest, created_at: claimedAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findIdempotencyKey(
  db: Kysely<Tables>,
  { userId, key }: Key,
): Promise<{ requestDigest: string; answer: KeptAnswer | undefined } | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .select(['request_digest', 'answer_headers', 'answer_body'])
    .executeTakeFirst()
  if (!row) return undefined
  const { request_digest: requestDigest, answer_body: body, answer_headers: headers } = row
  return {
    requestDigest,
    answer: body !== null && headers !== null ? { body, headers: JSON.parse(headers) } : undefined,
  }
}

/** True for the one caller that takes over the claim of a dead process. */
export async function takeOverIdempotencyKey(
  db: Kysely<Tables>,
  { userId, key, claimedAt }: KeyClaim,
  abandonedBefore: number,
): Promise<boolean> {
  const taken = await db
    .updateTable('idempotency_keys')
    .set({ created_at: claimedAt })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('answer_body', 'is', null)
    .where('created_at', '<', abandonedBefore)
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

export async function updateIdempotencyAnswer(
  db: Kysely<Tables>,
  { userId, key, claimedAt }: KeyClaim,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer_body: body, answer_headers: JSON.stringify(headers) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '=', claimedAt)
    .execute()
}

/** Releases only the caller's own claim: another request may have taken the key over. */
export async function deleteIdempotencyKey(db: Kysely<Tables>, { userId, key, claimedAt }: KeyClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '=', claimedAt)
    .execute()
}

export async function deleteIdempotencyKeysBefore(db: Kysely<Tables>, time: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', time).execute()
}
