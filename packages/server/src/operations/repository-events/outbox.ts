// The life of an entry in the outbox: taken, then reported, reported so far, or put off until later.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { askedPauseMs } from '../../domain/repository/asked-pause.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import { type OutboxEntry, takeOutboxEntry, updateReportedStatus } from '../../store/repository-events/outbox.ts'
import { type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'

/** Longer than any request takes: a process that dies leaves the entry to the next. */
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 60 * 60_000 }
/** About half a day: by then the status is useless. */
const MOST_ATTEMPTS = 20

export const takeNextReport = (ctx: Context, busy: BusyOwners): Promise<OutboxEntry | undefined> =>
  takeOutboxEntry(ctx.db, LEASE_MS, busy)

/** Keeps the entry if a change made it due again since it was taken. */
export const endReport = (ctx: Context, entry: OutboxEntry): Promise<void> => deleteLeased(ctx.db, 'outbox', entry)

export const recordReported = (
  ctx: Context,
  entry: OutboxEntry,
  reported: Parameters<typeof updateReportedStatus>[2],
): Promise<void> => updateReportedStatus(ctx.db, entry, reported)

export async function postponeReport(ctx: Context, entry: OutboxEntry, error: unknown): Promise<void> {
  if (entry.attempts >= MOST_ATTEMPTS) return endReport(ctx, entry)
  const afterMs = Math.max(exponentialBackOff(entry.attempts, PAUSES), askedPauseMs(error))
  const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await postponeLeased(ctx.db, 'outbox', { ...entry, afterMs, error: reason })
}

/** Which comment of a pull request is the platform's own. */
export async function recordComment(ctx: Context, pullRequest: PullRequest, id: string): Promise<void> {
  await ctx.change(PLATFORM, (tx) => updatePullRequest(tx, pullRequest, { comment_id: id }))
}
