// The version of a platform, which it says to every caller.
import type { Context } from '../context.ts'
import { parseAnswer } from './answer-limits.ts'
import { DEFAULT_LIMITS, limitTime } from './time-limits.ts'
import { USER_AGENT } from './user-agent.ts'

export async function readPlatformVersion({ signal }: Pick<Context, 'signal'>, instance: string): Promise<string> {
  const { createClient } = await import('@shipway/api/client')
  const client = createClient({
    baseUrl: instance,
    userAgent: USER_AGENT,
    fetch: limitTime(fetch, DEFAULT_LIMITS, signal),
    parseJson: parseAnswer,
    readsOtherReleases: true,
  })
  // The platform writes it as its tag.
  return (await client.getHealth()).version.replace(/^v/, '')
}
