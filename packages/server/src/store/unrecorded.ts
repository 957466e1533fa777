/**
 * The mark of statements that write nothing that a kept answer shows: output, which comes many times a second, and word to other
 * processes. For the version of the records, such a statement changes nothing. PostgreSQL gives every transaction that writes a number,
 * by which the version is told: there, the statement says its own.
 */
import { sql } from 'kysely'

const WORDS = '/* unrecorded */'

export const unrecorded = sql.raw(WORDS)

export const isUnrecorded = (text: string): boolean => text.endsWith(WORDS)

/** A column of such a statement, on PostgreSQL. */
export const ownTransaction = sql.raw('pg_current_xact_id()::text as unrecorded_transaction')

export function readOwnTransaction(rows: readonly unknown[]): number | undefined {
  const [row] = rows
  if (typeof row !== 'object' || row === null || !('unrecorded_transaction' in row)) return undefined
  return Number(row.unrecorded_transaction)
}
