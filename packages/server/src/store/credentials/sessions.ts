// Rows of sessions; the token itself is never kept, only its digest.
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sessionEnd } from '../../domain/people/session.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export async function insertSession(db: Kysely<Tables>, values: Insertable<Tables['sessions']>): Promise<number> {
  const { id } = await db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateSessionUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
}

export type Session = {
  readonly id: number
  readonly createdAt: number
  readonly lastSeenAt: number
  /** When it ends unless it is used before. */
  readonly endsAt: number
  readonly address: string | null
  readonly userAgent: string | null
}

/** Those that have not ended, last used first. */
export async function listSessions(
  db: Kysely<Tables>,
  { userId, now, limit }: { readonly userId: number; readonly now: number; readonly limit: number },
): Promise<readonly Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .selectAll()
    .execute()
  return rows.map(toSession).filter(({ endsAt }) => endsAt > now)
}

function toSession(row: Selectable<Tables['sessions']>): Session {
  return {
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    endsAt: sessionEnd({ expiresAt: row.expires_at, lastSeenAt: row.last_seen_at }),
    address: row.address,
    userAgent: row.user_agent,
  }
}

/** Addresses that the user is signed in from, the latest first; a few are enough to recognise the user. */
export async function listSessionAddresses(
  db: Kysely<Tables>,
  userId: number,
  now: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .limit(20)
    .select('address')
    .execute()
  return rows.flatMap(({ address }) => address ?? [])
}

/** False if the user has no such session. */
export async function deleteSession(tx: Change, userId: number, id: number): Promise<boolean> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (ended) tx.notify({ about: 'user', id: userId, how: 'updated' })
  return ended !== undefined
}

/** Returns how many there were. */
export async function deleteSessionsOf(
  tx: Change,
  userId: number,
  { except }: { except?: number | undefined } = {},
): Promise<number> {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .returning('id')
    .execute()
  tx.notify({ about: 'user', id: userId, how: 'updated' })
  return deleted.length
}

/** So that the table holds as many rows as there are sign-ins that still count. */
export async function deleteExpiredSessionsOf(db: Kysely<Tables>, userId: number, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
}
