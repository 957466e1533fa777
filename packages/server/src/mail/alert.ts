// Mails about alerts and their end.
import { type AlertFacts, describeAlert } from '../domain/alert-wording.ts'
import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

export function alertMail(to: string, alert: AlertFacts, link: string): Mail {
  const { title, sentence, advice } = describeAlert(alert, defang).opened
  return composeMail({ to, subject: title, parts: [{ words: sentence }, { words: advice }, { before: 'See:', link }] })
}

export function alertOverMail(to: string, alert: AlertFacts, link: string): Mail {
  const { title, sentence } = describeAlert(alert, defang).resolved
  return composeMail({ to, subject: title, parts: [{ words: sentence }, { before: 'See:', link }] })
}
