// Lists the mails that would have been sent, for platform administrators, on a platform without SMTP that only its own machine reaches.
import type { Context } from '../../context.ts'
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import type { Mail } from '../../mail/mailer.ts'
import { listKeptMails } from '../../store/mails/mailbox.ts'
import { openMail } from './sealed-mail.ts'

export type ReadMail = Omit<Mail, 'html'> & {
  readonly id: number
  readonly kind: string
  readonly createdAt: number
}

/** Links in mails sign users in, so the mailbox exists only on a local machine for trying things out. */
export async function readMailbox(ctx: Context, actor: Actor): Promise<readonly ReadMail[]> {
  demandPlatformAdmin(actor)
  if (!ctx.mail.hasMailbox) throw NotFound('resource')
  const kept = await listKeptMails(ctx.db)
  return kept.map(({ id, key, kind, sealed, createdAt }) => {
    const { to, subject, text } = openMail(ctx, sealed, key)
    return { id, kind, createdAt, to, subject, text }
  })
}
