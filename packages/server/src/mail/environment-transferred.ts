// The mail that tells the earlier and the new owner of an environment that it changed hands.
import { asText } from './as-text.ts'
import { composeMail } from './compose-mail.ts'
import type { Mail } from './mailer.ts'

type TransferMail = {
  readonly to: string
  readonly environment: string
  readonly domain: string
  readonly from: string
  readonly newOwner: string
  readonly by: string
}

/** The subject holds no text of anybody's: a name must not be able to speak for the platform. */
export function environmentTransferredMail({ to, environment, domain, from, newOwner, by }: TransferMail): Mail {
  return composeMail({
    to,
    subject: 'An environment on Shipway has a new owner',
    parts: [
      { words: `"${asText(by)}" handed the environment "${asText(environment)}" (${asText(domain)}) over.` },
      {
        facts: [
          ['Earlier owner', `"${asText(from)}"`],
          ['New owner', `"${asText(newOwner)}"`],
        ],
      },
      { words: 'While an environment is protected, only its owner can change, deploy or remove it.' },
    ],
  })
}
