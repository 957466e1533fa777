import type { Kysely, TransactionBuilder } from 'kysely'

/**
 * A transaction that its caller repeats if a power cut undid it. The embedded database does not wait for the disk at
 * its commit. On PostgreSQL it is one statement and no more, which commits itself: one round trip instead of three. Both tell it apart
 * by the access mode, which every transaction has anyway.
 */
export const repeatableTransaction = <Tables>(db: Kysely<Tables>): TransactionBuilder<Tables> =>
  db.transaction().setAccessMode(REPEATABLE)

export const REPEATABLE = 'read write'
