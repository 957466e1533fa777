// The life of a message to a channel: taken, then delivered, retried later, or given up. The channel shows how the last one went.
import type { Context } from '../../context.ts'
import { pauseAfterAttempt } from '../../domain/hooks/attempts.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { releaseChannelMessage, type TakenMessage, takeChannelMessage } from '../../store/channels/channel-queue.ts'
import { type Channel, type LastDelivery, updateChannel } from '../../store/channels/channels.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import type { ChannelOutcome } from './channel-outcome.ts'
import { sendToChannel } from './send-to-channel.ts'

/** Longer than any attempt takes: a process that dies leaves the message to the next. */
const LEASE_MS = 120_000

/** About eight hours in all: an alert of yesterday is no longer useful. */
const MOST_ATTEMPTS = 6

type Busy = { readonly busyReceivers: readonly number[]; readonly busyOrganizations: readonly number[] }

export const takeNextMessage = (ctx: Context, busy: Busy): Promise<TakenMessage | undefined> =>
  takeChannelMessage(ctx.db, { ...busy, leaseMs: LEASE_MS })

export async function deliverMessage(ctx: Context, taken: TakenMessage, signal: AbortSignal): Promise<void> {
  const outcome = await sendToChannel(ctx, taken.channel, taken, signal).catch(async (error: unknown) => {
    await releaseChannelMessage(ctx.db, taken)
    if (!signal.aborted) throw error
  })
  if (!outcome) return
  const pauseMs = pauseAfter(taken.attempts, outcome)
  if (pauseMs === undefined) await deleteLeased(ctx.db, 'channel_deliveries', taken)
  else await postponeLeased(ctx.db, 'channel_deliveries', { ...taken, afterMs: pauseMs, error: outcome.sentence })
  const status = outcome.isDelivered ? 'succeeded' : pauseMs === undefined ? 'failed' : 'retrying'
  await recordDelivery(ctx, taken.channel, { at: ctx.clock(), status, message: outcome.sentence })
}

function pauseAfter(attempts: number, { isDelivered, isFinal, status, retryAfterMs }: ChannelOutcome) {
  if (isDelivered || isFinal || attempts >= MOST_ATTEMPTS) return undefined
  return pauseAfterAttempt({ number: attempts, status, retryAfterMs })
}

export async function recordDelivery(ctx: Context, channel: Channel, last: LastDelivery): Promise<void> {
  await ctx.change(PLATFORM, (tx) =>
    updateChannel(tx, channel, { last_at: last.at, last_status: last.status, last_message: last.message }),
  )
}
