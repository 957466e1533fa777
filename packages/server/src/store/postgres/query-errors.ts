// Translates errors of queries for the caller.
import { DatabaseError } from 'pg'

/**
 * Errors that say nothing about the query: the same one may succeed in a moment. Lost connections (08), resources that ran out (53,
 * a full disk among them), cancellation and shutdown (57), failures of the system (58), conflicts of two transactions (40), a lock
 * that was not given, a transaction that was idle for too long, a server that takes no writes for now. pg itself reports a broken
 * connection as a plain Error, or as one of the socket.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return UNAVAILABLE.test(error.code ?? '')
  return error instanceof Error && ('syscall' in error || BROKEN.test(error.message))
}

/** A newer process has changed a table that a prepared statement of this connection reads. A new connection prepares it anew. */
export function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * Operations check before they write that referenced records exist and that deleted ones are unused. A violated foreign key
 * therefore means that another transaction was faster, between the check and the write.
 */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === foreignKeyViolation
}

const foreignKeyViolation = '23503'
const UNAVAILABLE = /^(08|40|53|57|58|55P03$|25P03$|25006$)/
const BROKEN = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/
