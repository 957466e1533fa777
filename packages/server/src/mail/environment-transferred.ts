// The mail that tells the earlier and the new owner of an environment that it changed hands.
import { asText } from './as-text.ts'
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
  return {
    to,
    subject: 'An environment on Shipway has a new owner',
    text: [
      `"${asText(by)}" handed the environment "${asText(environment)}" (${asText(domain)}) over.`,
      '',
      `Earlier owner: "${asText(from)}"`,
      `New owner: "${asText(newOwner)}"`,
      '',
      'While an environment is protected, only its owner can change, deploy or remove it.',
      '',
    ].join('\n'),
  }
}
