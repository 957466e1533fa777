// Mails as the records hold them, sealed: queued to be sent, or kept for the mailbox of a platform that sends none.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { mailContext } from '../../domain/encryption-context.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { Change } from '../../store/change.ts'
import { insertKeptMail } from '../../store/mails/mailbox.ts'
import { insertMail } from '../../store/mails/mails.ts'

type MailToQueue = { readonly kind: string; readonly mail: Mail; readonly lifeMs: number }

/** Stores nothing if the platform neither sends mail nor has a mailbox. */
export async function writeMail(
  ctx: Pick<Context, 'box' | 'mail'>,
  tx: Change,
  { kind, mail, lifeMs }: MailToQueue,
): Promise<void> {
  const key = randomUUID()
  const { to, subject, text, html } = mail
  const sealed = ctx.box.seal(JSON.stringify({ to, subject, text, html }), mailContext(key))
  if (ctx.mail.isSetUp) await insertMail(tx, { key, kind, sealed, lifeMs })
  else if (ctx.mail.hasMailbox) await insertKeptMail(tx, { key, kind, sealed })
}

const StoredMail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

export function openMail({ box }: Pick<Context, 'box'>, sealed: string, key: string): Mail {
  return StoredMail.parse(JSON.parse(box.open(sealed, mailContext(key)).reveal()))
}
