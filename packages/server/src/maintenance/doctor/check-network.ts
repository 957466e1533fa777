// Checks the base address of the platform and its mail server.
import type { Config } from '../../config.ts'
import { verifyMailServer } from '../../mail/verify-mail-server.ts'
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts'

const LIMIT_MS = 10_000

export async function checkBaseUrl({ baseUrl }: Config): Promise<Finding> {
  const fix = 'Start the platform, or correct SHIPWAY_BASE_URL or the proxy in front of it'
  try {
    const { status } = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS), redirect: 'manual' })
    if (status !== 200) return failed('base address', `${baseUrl} answers with ${status}`, fix)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return failed('base address', `The platform does not answer at ${baseUrl} (${reasonOf(cause)})`, fix)
  }
  const { protocol, hostname } = new URL(baseUrl)
  const isOpen = protocol === 'http:' && !/^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname)
  if (!isOpen) return ok('base address', `The platform answers at ${baseUrl}`)
  const https = 'Serve it by https, and set SHIPWAY_BASE_URL to that address'
  return warning('base address', `${baseUrl} is not encrypted: others on the network can act as its users`, https)
}

export async function checkMail(config: Config): Promise<Finding> {
  if (config.smtpUrl === undefined) {
    return warning(
      'mail',
      'No mail server is set up',
      'Set SHIPWAY_SMTP_URL, so that invitations and new passwords can be mailed',
    )
  }
  try {
    await verifyMailServer(config.smtpUrl)
    return ok('mail', 'The mail server accepts the platform')
  } catch (error) {
    return failed(
      'mail',
      `The mail server does not accept the platform (${reasonOf(error)})`,
      'Correct SHIPWAY_SMTP_URL',
    )
  }
}
