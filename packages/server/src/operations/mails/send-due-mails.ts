/**
 * Sends the due mails, a few at once. Failed ones are retried with growing pauses, until the mail is too old to be of
 * use. A process leases a mail while it sends it, for longer than an attempt can take. If it dies after the mail server took the
 * mail and before that was recorded, the mail is sent a second time, with the same Message-ID.
 */
import type { Context } from '../../context.ts'
import { MailRefused } from '../../mail/mailer.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import { type QueuedMail, takeMail, updateMailGivenUp } from '../../store/mails/mails.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import { openMail } from './sealed-mail.ts'

const AT_ONCE = 3
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 5_000, mostMs: 30 * 60_000 }

/** `signal`: no further mail is started. `cut`: aborts those under way, too. */
type StopSignals = { readonly signal: AbortSignal; readonly cut: AbortSignal }

/** With `atOnce: 1` mails go out in the order in which they were queued. */
export async function sendDueMails(
  ctx: Context,
  { atOnce = AT_ONCE, ...stops }: StopSignals & { readonly atOnce?: number },
): Promise<void> {
  if (!ctx.mail.isSetUp) return
  await Promise.all(Array.from({ length: atOnce }, () => sendUntilNoneIsDue(ctx, stops)))
}

async function sendUntilNoneIsDue(ctx: Context, { signal, cut }: StopSignals): Promise<void> {
  while (!signal.aborted) {
    const taken = await takeMail(ctx.db, LEASE_MS)
    if (!taken) return
    await attempt(ctx, taken, cut)
  }
}

async function attempt(ctx: Context, taken: QueuedMail, cut: AbortSignal): Promise<void> {
  const { key, kind, attempts } = taken
  if (taken.isExpired) return giveUp(ctx, taken, null)
  try {
    await ctx.mail.send(openMail(ctx, taken.sealed, key), { key, signal: cut })
  } catch (error) {
    const reason = sentenceOf(error)
    if (error instanceof MailRefused) return giveUp(ctx, taken, reason)
    ctx.log.warn({ kind, attempts, error: reason }, 'could not send a mail; retrying later')
    return postponeLeased(ctx.db, 'mails', { ...taken, afterMs: exponentialBackOff(attempts, PAUSES), error: reason })
  }
  await deleteLeased(ctx.db, 'mails', taken)
}

async function giveUp(ctx: Context, taken: QueuedMail, error: string | null): Promise<void> {
  ctx.log.error({ kind: taken.kind, attempts: taken.attempts, error }, 'gave up on a mail')
  await updateMailGivenUp(ctx.db, taken, error)
}

/** A mail server may quote the mail in its reply, and the mail may hold a link that signs a user in. */
function sentenceOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'unknown'
  return reason
    .replaceAll(/shw_\w*/g, '[hidden]')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
}
