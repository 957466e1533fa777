// The life of an entry in the outbox: taken, then reported, reported so far, or put off until later.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { askedPauseMs } from '../../domain/repository/asked-pause.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import { postponeWoken } from '../../store/queue.ts'
import {
  deleteOutboxEntry,
  insertOutboxPullRequest,
  type OutboxEntry,
  takeOutboxEntry,
  updateHostDeployment,
  updateReportedStatus,
} from '../../store/repository-events/outbox.ts'
import { type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'
import { storedReason } from './stored-reason.ts'

/** Longer than any request takes: a process that dies leaves the entry to the next. */
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 60 * 60_000 }
/** About half a day: by then the status is useless. */
const MOST_ATTEMPTS = 20

export const takeNextReport = (ctx: Context, busy: BusyOwners): Promise<OutboxEntry | undefined> =>
  takeOutboxEntry(ctx.db, LEASE_MS, busy)

/** Keeps the entry if a change made it due again since it was taken. */
export const endReport = (ctx: Context, entry: OutboxEntry): Promise<void> => deleteOutboxEntry(ctx.db, entry)

export const recordReported = (ctx: Context, entry: OutboxEntry, status: string): Promise<void> =>
  updateReportedStatus(ctx.db, entry, status)

/** The git host's id of its deployment. Stored at once: a report that fails afterwards goes on with the same one. */
export const recordHostDeployment = (ctx: Context, entry: OutboxEntry, id: string): Promise<void> =>
  updateHostDeployment(ctx.db, entry, id)

export async function postponeReport(ctx: Context, entry: OutboxEntry, error: unknown): Promise<void> {
  if (entry.attempts >= MOST_ATTEMPTS) return endReport(ctx, entry)
  const askedMs = askedPauseMs(error)
  const afterMs = Math.max(exponentialBackOff(entry.attempts, PAUSES), askedMs)
  await postponeWoken(ctx.db, 'outbox', { ...entry, afterMs, askedMs, error: storedReason(error) })
}

/** Which comment of a pull request is the platform's own. */
export async function recordComment(ctx: Context, pullRequest: PullRequest, id: string): Promise<void> {
  await ctx.change(PLATFORM, (tx) => updatePullRequest(tx, pullRequest, { comment_id: id }))
}

/** A comment that the git host refuses is tried again by itself, so the report of the task goes on. */
export async function postponeComment(
  ctx: Context,
  { projectId, number }: { readonly projectId: number; readonly number: number },
  error: unknown,
): Promise<void> {
  const report = { projectId, number, at: ctx.clock(), askedMs: askedPauseMs(error) }
  await ctx.change(PLATFORM, (tx) => insertOutboxPullRequest(tx, report))
}
