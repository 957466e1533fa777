// The mail to the previous and the new owner of a transferred environment.

import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

type TransferMail = {
  readonly to: string
  readonly environment: string
  readonly domain: string
  readonly from: string
  readonly newOwner: string
  readonly by: string
}

/** The subject holds no user text: a name must not be able to speak for the platform. */
export function environmentTransferredMail({ to, environment, domain, from, newOwner, by }: TransferMail): Mail {
  return composeMail({
    to,
    subject: 'An environment on Shipway has a new owner',
    parts: [
      { words: `"${defang(by)}" handed the environment "${defang(environment)}" (${defang(domain)}) over.` },
      {
        facts: [
          ['Earlier owner', `"${defang(from)}"`],
          ['New owner', `"${defang(newOwner)}"`],
        ],
      },
      { words: 'While an environment is protected, only its owner can change, deploy or remove it.' },
    ],
  })
}
