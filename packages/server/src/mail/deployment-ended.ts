// Mails to watchers of an environment: a deployment failed, or succeeds again.

import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

type EndedDeployment = {
  readonly to: string
  readonly hasFailed: boolean
  readonly environment: string
  readonly project: string
  /** Read from the records, so secrets in it are masked. */
  readonly failedStep: { readonly name: string; readonly message: string | null } | null
  readonly link: string
}

export function deploymentEndedMail({ to, hasFailed, environment, project, failedStep, link }: EndedDeployment): Mail {
  const where = `the environment "${defang(environment)}" of the project "${defang(project)}"`
  const step = failedStep ? [{ words: stepWords(failedStep) }] : []
  return composeMail({
    to,
    subject: hasFailed ? 'A deployment failed' : 'A deployment succeeded again',
    parts: [
      { words: hasFailed ? `A deployment of ${where} failed.` : `A deployment of ${where} succeeded again.` },
      ...(hasFailed ? step : []),
      { before: 'See:', link },
      { words: 'You get this mail because you watch the environment.' },
    ],
  })
}

function stepWords({ name, message }: NonNullable<EndedDeployment['failedStep']>): string {
  return message ? `It failed at "${defang(name)}": ${defang(message)}` : `It failed at "${defang(name)}".`
}
