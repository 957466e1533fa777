// Deletes mails that were given up a week ago, and those of a mailbox that no longer exists.
import type { Context } from '../../context.ts'
import { deleteMailsGivenUp } from '../../store/mails/mail-state.ts'
import { deleteKeptMails } from '../../store/mails/mailbox.ts'

const WEEK_MS = 7 * 86_400_000

export async function forgetMails(ctx: Pick<Context, 'db' | 'mail'>): Promise<void> {
  await deleteMailsGivenUp(ctx.db, WEEK_MS)
  if (!ctx.mail.hasMailbox) await deleteKeptMails(ctx.db)
}
