// Reads a mail as it was written down.
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { mailContext } from '../../domain/encryption-context.ts'
import type { Mail } from '../../mail/mailer.ts'

const Written = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

export function openMail({ box }: Pick<Context, 'box'>, sealed: string, key: string): Mail {
  return Written.parse(JSON.parse(box.open(sealed, mailContext(key)).reveal()))
}
