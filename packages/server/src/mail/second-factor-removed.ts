// The mail to a user whose two-factor codes an administrator turned off.

import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

type RemovalMail = { readonly to: string; readonly by: string; readonly baseUrl: string }

/** The subject holds no user text: a name must not be able to speak for the platform. */
export function secondFactorRemovedMail({ to, by, baseUrl }: RemovalMail): Mail {
  return composeMail({
    to,
    subject: 'Two-factor codes were turned off for your Shipway account',
    parts: [
      {
        words:
          `The platform administrator "${defang(by)}" turned two-factor codes off for your account. ` +
          'From now on the password alone signs you in.',
      },
      { before: 'If you asked for this, turn them on again with your new device:', link: `${baseUrl}/profile` },
      { words: 'If you did not, choose a new password now and ask the administrator.' },
    ],
  })
}
