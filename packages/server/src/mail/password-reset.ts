// The mail with a link to choose a new password. The only user text in it is the address it goes to.
import type { Secret } from '../secrets/secret.ts'
import { composeMail } from './compose-mail.ts'
import type { Mail } from './mailer.ts'

type PasswordReset = { readonly to: string; readonly baseUrl: string; readonly link: Secret }

export function passwordResetMail({ to, baseUrl, link }: PasswordReset): Mail {
  return composeMail({
    to,
    subject: 'Choose a new password',
    parts: [
      { words: `A new password was requested, most likely by you, for your account at ${baseUrl}.` },
      { before: 'Choose it here within one hour. The link works once:', link },
      { words: 'If it was not you, do nothing: your password stays as it is.' },
    ],
  })
}
