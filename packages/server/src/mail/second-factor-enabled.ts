// The mail to a user whose two-factor codes were turned on: if a thief of a session did it, the user learns why signing in asks for a code.

import { composeMail } from './compose-mail.ts'
import type { Mail } from './mailer.ts'

type EnabledMail = { readonly to: string; readonly baseUrl: string }

export function secondFactorEnabledMail({ to, baseUrl }: EnabledMail): Mail {
  return composeMail({
    to,
    subject: 'Two-factor codes were turned on for your Shipway account',
    parts: [
      {
        words:
          'From now on the password signs you in only together with a code of your authenticator app. ' +
          'Your other sessions and command lines were signed out.',
      },
      { before: 'New recovery codes, and where you are signed in:', link: `${baseUrl}/profile` },
      {
        words:
          'If you did not turn them on, someone else uses your account. Ask a platform administrator to turn them off, ' +
          'and choose a new password then.',
      },
    ],
  })
}
