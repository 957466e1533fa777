// The life of an entry in the outbox: taken, told, told in part, or put off until later.
import type { Context } from '../../context.ts'
import { doubledPause } from '../../scheduling/back-off.ts'
import {
  deleteOutboxEntry,
  type OutboxEntry,
  takeOutboxEntry,
  updateOutboxFailure,
  updateTold,
} from '../../store/repository-events/outbox.ts'

/** Longer than any request takes: a process that dies leaves the entry to the next. */
const HELD_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 60 * 60_000 }
/** After about half a day nobody waits for it any more. */
const MOST_ATTEMPTS = 20

export const takeNextToTell = (ctx: Context): Promise<OutboxEntry | undefined> => takeOutboxEntry(ctx.db, HELD_MS)

export const endTelling = (ctx: Context, entry: OutboxEntry): Promise<void> => deleteOutboxEntry(ctx.db, entry)

export const noteTold = (ctx: Context, { id }: OutboxEntry, told: Parameters<typeof updateTold>[2]): Promise<void> =>
  updateTold(ctx.db, id, told)

export async function postponeTelling(ctx: Context, entry: OutboxEntry, error: unknown): Promise<void> {
  const { id, attempts } = entry
  if (attempts >= MOST_ATTEMPTS) return deleteOutboxEntry(ctx.db, entry)
  const afterMs = doubledPause(attempts, PAUSES)
  const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await updateOutboxFailure(ctx.db, id, { afterMs, error: reason })
}
