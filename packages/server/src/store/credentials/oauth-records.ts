// Rows of oauth_records: what the OAuth server keeps. Ids are digests, so a copy of the database opens nothing.
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type OauthRecord = {
  readonly kind: string
  readonly idDigest: string
  readonly grantDigest: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly consumedAt: number | null
  /** When a device last asked for its tokens. */
  readonly polledAt: number | null
}

export type NewOauthRecord = Pick<OauthRecord, 'kind' | 'idDigest' | 'grantDigest' | 'payload'> & {
  readonly userId: number | null
  readonly userCodeDigest: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export async function findOauthRecord(
  db: Kysely<Tables>,
  kind: string,
  idDigest: string,
): Promise<OauthRecord | undefined> {
  const row = await db
    .selectFrom('oauth_records')
    .where('kind', '=', kind)
    .where('id_digest', '=', idDigest)
    .selectAll()
    .executeTakeFirst()
  return row && toRecord(row)
}

/** A device that waits for an answer; once it has one, its user code is forgotten. */
export async function findDeviceRequest(
  db: Kysely<Tables>,
  userCodeDigest: string,
  now: number,
): Promise<OauthRecord | undefined> {
  const row = await db
    .selectFrom('oauth_records')
    .where('user_code_digest', '=', userCodeDigest)
    .where('expires_at', '>', now)
    .selectAll()
    .executeTakeFirst()
  return row && toRecord(row)
}

export async function findOauthGrantOwner(
  db: Kysely<Tables>,
  grantDigest: string,
): Promise<{ userId: number; name: string } | undefined> {
  return db
    .selectFrom('oauth_records as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .where('o.kind', '=', 'Grant')
    .where('o.id_digest', '=', grantDigest)
    .select(['u.id as userId', 'u.name'])
    .executeTakeFirst()
}

export async function insertOauthRecord(db: Kysely<Tables>, record: NewOauthRecord): Promise<void> {
  const values: Insertable<Tables['oauth_records']> = {
    kind: record.kind,
    id_digest: record.idDigest,
    user_id: record.userId,
    grant_digest: record.grantDigest,
    user_code_digest: record.userCodeDigest,
    payload: JSON.stringify(record.payload),
    created_at: record.createdAt,
    expires_at: record.expiresAt,
  }
  await db.insertInto('oauth_records').values(values).execute()
}

/** Locks the grant until the transaction ends, so that it cannot be revoked meanwhile; false when it is gone. */
export async function lockOauthGrant(db: Kysely<Tables>, grantDigest: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ id_digest: grantDigest })
    .where('kind', '=', 'Grant')
    .where('id_digest', '=', grantDigest)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** True for the one caller that comes first. */
export async function updateOauthRecordConsumed(
  db: Kysely<Tables>,
  { kind, idDigest }: Pick<OauthRecord, 'kind' | 'idDigest'>,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ consumed_at: at })
    .where('kind', '=', kind)
    .where('id_digest', '=', idDigest)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

export async function updateDevicePolled(db: Kysely<Tables>, idDigest: string, at: number): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ polled_at: at })
    .where('kind', '=', 'DeviceCode')
    .where('id_digest', '=', idDigest)
    .execute()
}

type DeviceAnswer = Pick<NewOauthRecord, 'userId' | 'grantDigest' | 'payload'>

/** Forgets the user code with the answer: true for the first answer, false for every later one. */
export async function updateDeviceAnswered(
  db: Kysely<Tables>,
  idDigest: string,
  { userId, grantDigest, payload }: DeviceAnswer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ user_code_digest: null, user_id: userId, grant_digest: grantDigest, payload: JSON.stringify(payload) })
    .where('kind', '=', 'DeviceCode')
    .where('id_digest', '=', idDigest)
    .where('user_code_digest', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

export async function deleteOauthRecord(db: Kysely<Tables>, kind: string, idDigest: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('kind', '=', kind).where('id_digest', '=', idDigest).execute()
}

/**
 * The grant goes first: a transaction that adds a token to it locks its row, so the second statement waits for that token and
 * takes it along. True when there was a grant.
 */
export async function deleteOauthGrant(tx: Change, grantDigest: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('oauth_records')
    .where('kind', '=', 'Grant')
    .where('id_digest', '=', grantDigest)
    .returning('user_id')
    .execute()
  await tx.deleteFrom('oauth_records').where('grant_digest', '=', grantDigest).execute()
  for (const { user_id: id } of deleted) if (id !== null) tx.notify({ about: 'user', id, how: 'updated' })
  return deleted.length > 0
}

/** Ends every OAuth sign-in of a user; grants first, for the same reason. */
export async function deleteOauthRecordsOfUser(tx: Change, userId: number): Promise<void> {
  await tx.deleteFrom('oauth_records').where('user_id', '=', userId).where('kind', '=', 'Grant').execute()
  await tx.deleteFrom('oauth_records').where('user_id', '=', userId).execute()
  tx.notify({ about: 'user', id: userId, how: 'updated' })
}

export async function deleteExpiredOauthRecords(db: Kysely<Tables>, before: number, most: number): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('expires_at', '<', before)
    .where('id_digest', 'in', (query) =>
      query.selectFrom('oauth_records').where('expires_at', '<', before).limit(most).select('id_digest'),
    )
    .execute()
}

function toRecord(row: Selectable<Tables['oauth_records']>): OauthRecord {
  return {
    kind: row.kind,
    idDigest: row.id_digest,
    grantDigest: row.grant_digest,
    payload: JSON.parse(row.payload),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at,
    polledAt: row.polled_at,
  }
}
